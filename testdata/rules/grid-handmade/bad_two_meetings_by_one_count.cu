// Two phases behind each other, each of which all blocks are to have ended: both wait for the same
// word to reach the number of blocks, in PTX that releases and acquires.
#include <cuda_runtime.h>

__device__ __forceinline__ void count_up(unsigned *word)
{
    asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(word) : "memory");
}

__device__ __forceinline__ unsigned look(const unsigned *word)
{
    unsigned value;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
    return value;
}

__device__ void wait_for_all(unsigned *word, unsigned blocks)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        count_up(word);
        while (look(word) < blocks) { // expect: grid-handmade
        }
    }
    __syncthreads();
}

__global__ void normalise(const float *in, float *sums, float *out, unsigned *word)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0)
        sums[blockIdx.x] = in[i];
    wait_for_all(word, gridDim.x);
    float total = 0;
    for (unsigned block = 0; block < gridDim.x; ++block)
        total += sums[block];
    wait_for_all(word, gridDim.x);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = total;
    out[i] = in[i] / total;
}

void launch(const float *in, float *sums, float *out, unsigned *word)
{
    void *arguments[] = {&in, &sums, &out, &word};
    cudaLaunchCooperativeKernel((void *)normalise, dim3(32), dim3(128), arguments, 0, nullptr);
}
