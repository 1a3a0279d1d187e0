// Two warps set the maxima up, four read them: __syncwarp() joins one warp only.
#include <cuda_runtime.h>

constexpr int kRows = 64;

__device__ void rescale(const float *score, float *maxima, float *scale, int thread)
{
    const int row = thread / 32 * 16 + thread % 32 / 4;
    const float old = maxima[row]; // expect: sync-missing
    const float now = fmaxf(old, score[thread]);
    __syncwarp();
    if (thread % 4 == 0) {
        maxima[row] = now;
        scale[row] = exp2f(old - now);
    }
}

__global__ void __launch_bounds__(128) softmax_step(const float *score, float *out)
{
    __shared__ float maxima[kRows], scale[kRows];
    if (threadIdx.x < kRows)
        maxima[threadIdx.x] = -1e30f;
    __syncwarp();
    rescale(score + blockIdx.x * 128, maxima, scale, threadIdx.x);
    asm volatile("bar.sync 1, 128;" ::: "memory");
    if (threadIdx.x < kRows)
        out[blockIdx.x * kRows + threadIdx.x] = scale[threadIdx.x];
}

void run(const float *score, float *out, int blocks)
{
    softmax_step<<<blocks, 128>>>(score, out);
}
