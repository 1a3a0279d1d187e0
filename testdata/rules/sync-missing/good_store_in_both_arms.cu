// The same with a barrier; and stores of one arm only, which nobody knows the threads of.
#include <cuda_runtime.h>

__global__ void best_of_block(const int *score, const unsigned *mask, unsigned wanted, int *best)
{
    __shared__ int top[64];
    const int i = threadIdx.x;
    if ((mask[i] & wanted) == wanted) {
        top[i] = score[i];
    } else {
        top[i] = -1;
    }
    for (int offset = 32; offset > 0; offset >>= 1) {
        __syncthreads();
        if (i < offset)
            top[i] = max(top[i], top[i + offset]);
    }
    if (i == 0)
        *best = top[0];
}

__global__ void own_or_next(const int *key, const int *kind, int *out)
{
    __shared__ int rank[160];
    const int i = threadIdx.x;
    if (kind[i] == 1)
        rank[i] = key[i];
    else
        out[i] = rank[i];
    __syncthreads();
    if (kind[i] == 1)
        rank[i + 32] = key[i];
    else
        out[i] = 0;
    __syncthreads();
    out[i] += rank[127 - i];
}

void launch(const int *score, const unsigned *mask, unsigned wanted, int *best)
{
    best_of_block<<<1, 64>>>(score, mask, wanted, best);
    own_or_next<<<1, 128>>>(score, best, best);
}
