// What a block stores of its own after the barrier nobody reads here; the sums that the last block
// reads are added before it.
#include <cuda_runtime.h>

__global__ void __launch_bounds__(128)
    normalize(const float *values, float *sums, float *results, int *finished, int columns)
{
    __shared__ float part[128];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = values[i];
    __syncthreads();
    if (threadIdx.x == 0) {
        float sum = 0.0f;
        for (int k = 0; k < 128; ++k)
            sum += part[k];
        atomicAdd(&sums[blockIdx.x % columns], sum);
    }
    __syncthreads();
    results[i] = part[threadIdx.x ^ 1];
    if (threadIdx.x == 0)
        asm volatile("red.release.gpu.global.add.s32 [%0], 1;" ::"l"(finished));
    if (blockIdx.x != gridDim.x - 1)
        return;
    if (threadIdx.x == 0) {
        for (int found = -1; found != gridDim.x;)
            asm volatile("ld.global.acquire.gpu.b32 %0, [%1];" : "=r"(found) : "l"(finished));
    }
    __syncthreads();
    for (int k = threadIdx.x; k < columns; k += 128)
        sums[columns + k] = sums[k] * 2.0f;
}

void run(float *sums, float *results, int *finished, const float *values, int blocks)
{
    normalize<<<blocks, 128>>>(values, sums, results, finished, 64);
}
