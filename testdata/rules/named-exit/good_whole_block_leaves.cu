// Everybody returns or nobody: the tile number is the same in the block.
#include <cuda_runtime.h>

template <int Threads>
__global__ void tiles(const float *__restrict__ in, float *__restrict__ out, int count)
{
    __shared__ float line[Threads];
    for (int tile = blockIdx.x;; tile += gridDim.x) {
        if (tile >= count)
            return;
        line[threadIdx.x] = in[tile * Threads + threadIdx.x];
        asm volatile("bar.sync 1, %0;" ::"n"(Threads) : "memory");
        out[tile * Threads + threadIdx.x] = line[Threads - 1 - threadIdx.x];
        asm volatile("bar.sync 1, %0;" ::"n"(Threads) : "memory");
    }
}

void run(const float *in, float *out, int count)
{
    tiles<128><<<132, 128>>>(in, out, count);
}
