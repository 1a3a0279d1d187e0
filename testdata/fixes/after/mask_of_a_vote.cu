// options: --unsafe-fixes
#include <cuda_runtime.h>

__global__ void votes(const int *in, int *out)
{
    const int lane = threadIdx.x % 32;
    if (lane < 8)
        out[threadIdx.x] = __any_sync(0x000000ff, in[threadIdx.x] > 0);
    else if (lane >= 24)
        out[threadIdx.x] = __reduce_add_sync(4278190080u, in[threadIdx.x]);
}

void launch(const int *in, int *out)
{
    votes<<<1, 64>>>(in, out);
}
