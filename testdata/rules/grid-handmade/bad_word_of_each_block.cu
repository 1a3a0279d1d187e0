// Each block has a word: the first block waits for all of them one by one and then sets them back,
// for which the others wait.
#include <cuda_runtime.h>

__device__ inline unsigned look(const unsigned *word)
{
    unsigned value;
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(word));
    return value;
}

__device__ void meet(unsigned *word)
{
    volatile unsigned *set = word;
    __threadfence();
    __syncthreads();
    if (blockIdx.x == 0) {
        for (unsigned block = 1 + threadIdx.x; block < gridDim.x; block += blockDim.x)
            while (look(word + block) == 0) { // expect: grid-handmade
            }
        __syncthreads();
        for (unsigned block = 1 + threadIdx.x; block < gridDim.x; block += blockDim.x)
            set[block] = 0;
    } else {
        if (threadIdx.x == 0) {
            set[blockIdx.x] = 1;
            while (look(word + blockIdx.x) == 1) {
            }
        }
        __syncthreads();
    }
}

__global__ void relax(float *data, unsigned *word)
{
    data[blockIdx.x * blockDim.x + threadIdx.x] *= 0.5f;
    meet(word);
    data[blockIdx.x * blockDim.x + threadIdx.x] += data[threadIdx.x];
}

void run(float *data, unsigned *word)
{
    relax<<<4096, 256>>>(data, word);
}
