// All blocks meet once: in the first round of a loop, or behind it where the loop has none. A word
// of its own serves what comes later.
#include <cuda_runtime.h>

__device__ unsigned started, ended;

__device__ void meet(unsigned *word)
{
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(word, 1);
        while (*(volatile unsigned *)word < gridDim.x) {
        }
        __threadfence();
    }
    __syncthreads();
}

__global__ void rounds(const float *in, float *sums, float *out, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float own = 0;
    sums[i] = in[i];
    for (int round = 0; round < count; ++round) {
        if (round == 0)
            meet(&started);
        own += sums[(i + round * blockDim.x) % (gridDim.x * blockDim.x)];
    }
    if (count == 0)
        meet(&started);
    meet(&ended);
    out[i] = own;
    sums[i] = 0;
}

void launch(const float *in, float *sums, float *out, int count)
{
    void *arguments[] = {&in, &sums, &out, &count};
    cudaLaunchCooperativeKernel((void *)rounds, dim3(32), dim3(128), arguments, 0, nullptr);
}
