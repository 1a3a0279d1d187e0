#include <cuda_runtime.h>


__device__ int work(int x) { return x * x; }

__global__ void sparse(const int *in, int *out)
{
    __shared__ int slot[128];
    const int x = in[threadIdx.x];
    if (x > 0) {
        slot[threadIdx.x] = work(x);
        __syncwarp(); // expect: warp-mask-agree
        out[threadIdx.x] = slot[threadIdx.x ^ 1];
    }
    out[threadIdx.x + 128] = x;
}

void launch(const int *in, int *out)
{
    sparse<<<1, 128>>>(in, out);
}
