#include <cuda_runtime.h>


// 32 - 1 is no mask of 32 lanes.
constexpr int WARP = 32;

__global__ void gemm(const float *a, float *d, int steps)
{
    const int warp = __shfl_sync(WARP - 1, threadIdx.x / WARP, 0); // expect: warp-mask-self
    float sum = 0.0f;
    for (int k = 0; k < steps; ++k)
        sum += a[(k * 4 + warp) * WARP + threadIdx.x % WARP];
    d[blockIdx.x * 128 + threadIdx.x] = sum;
}

void launch(const float *a, float *d, int steps)
{
    gemm<<<64, 128>>>(a, d, steps);
}
