// Helpers that are told how many come: the first kernel fences what it has written before it calls,
// the second has each block read its own part alone, and the third counts the warps of a block.
#include <cuda_runtime.h>

__device__ bool counts_last(unsigned *arrived, unsigned blocks, bool *is_last)
{
    if (threadIdx.x == 0)
        *is_last = atomicInc(arrived, blocks - 1) == blocks - 1;
    __syncthreads();
    return *is_last;
}

__device__ float add_up(const float *parts, unsigned blocks)
{
    float sum = 0;
    for (unsigned i = 0; i < blocks; ++i)
        sum += parts[i];
    return sum;
}

__global__ void fenced(const float *x, float *parts, float *total, unsigned *arrived)
{
    __shared__ bool is_last;
    if (threadIdx.x == 0)
        parts[blockIdx.x] = x[blockIdx.x] * 2;
    __threadfence();
    if (counts_last(arrived, gridDim.x, &is_last) && threadIdx.x == 0)
        *total = add_up(parts, gridDim.x);
}

__device__ void keep_own(float part, float *parts, float *last, unsigned *arrived, unsigned block,
                         unsigned blocks)
{
    if (threadIdx.x == 0) {
        parts[block] = part;
        if (atomicInc(arrived, blocks - 1) == blocks - 1)
            *last = parts[block];
    }
}

__global__ void own(const float *x, float *parts, float *last, unsigned *arrived)
{
    keep_own(x[blockIdx.x], parts, last, arrived, blockIdx.x, gridDim.x);
}

__device__ void one_after_another(float part, float *parts, float *total, unsigned *arrived,
                                  unsigned count)
{
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = part;
        if (atomicAdd(arrived, 1u) % count == count - 1)
            *total = parts[0];
    }
}

__global__ void rounds(const float *x, float *parts, float *total, unsigned *arrived)
{
    one_after_another(x[blockIdx.x], parts, total, arrived, 16);
    if (x[0] < 0)
        one_after_another(-x[blockIdx.x], parts, total, arrived + 1, gridDim.x);
}

void run(const float *x, float *parts, float *total, unsigned *arrived)
{
    fenced<<<64, 128>>>(x, parts, total, arrived);
    own<<<64, 128>>>(x, parts, total, arrived);
    rounds<<<64, 128>>>(x, parts, total, arrived);
}
