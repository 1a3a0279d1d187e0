// The first block waits for a word of each other block, which end when they have set it and so make
// room for those that have not begun.
#include <cuda_runtime.h>

__device__ inline unsigned look(const unsigned *word)
{
    unsigned value;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
    return value;
}

__global__ void sum(const float *in, float *part, unsigned *word, float *out)
{
    if (blockIdx.x != 0) {
        if (threadIdx.x == 0) {
            part[blockIdx.x] = in[blockIdx.x] * in[blockIdx.x];
            __threadfence();
            atomicExch(&word[blockIdx.x], 1);
        }
        return;
    }
    float own = 0;
    for (unsigned block = 1 + threadIdx.x; block < gridDim.x; block += blockDim.x) {
        while (look(word + block) == 0) {
        }
        own += part[block];
    }
    atomicAdd(out, own);
}

void run(const float *in, float *part, unsigned *word, float *out)
{
    sum<<<4096, 256>>>(in, part, word, out);
}
