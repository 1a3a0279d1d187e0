// Each warp adds up a row of its own, and only those with anything in it come to the barrier.
#include <cuda_runtime.h>

__global__ void rows(const int *in, int *out)
{
    __shared__ int line[256];
    const int value = in[blockIdx.x * 256 + threadIdx.x];
    const int sum = __reduce_add_sync(0xffffffffu, value);
    if (sum != 0) {
        line[threadIdx.x] = value;
        __syncthreads(); // expect: sync-divergent
        out[blockIdx.x * 256 + threadIdx.x] = line[255 - threadIdx.x];
    }
}

void launch(const int *in, int *out)
{
    rows<<<32, 256>>>(in, out);
}
