// Which of two values a thread stores its data decide; that it stores is certain.
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
        if (i < offset)
            top[i] = max(top[i], top[i + offset]); // expect: sync-missing
        __syncthreads();
    }
    if (i == 0)
        *best = top[0];
}

__global__ void ranks(const int *key, const int *kind, int *out)
{
    __shared__ int rank[128];
    const int i = threadIdx.x;
    if (kind[i] == 1)
        rank[i] = key[i];
    else if (kind[i] == 2)
        rank[i] = -key[i];
    else
        rank[i] = 0;
    out[i] = rank[127 - i]; // expect: sync-missing
}

void launch(const int *score, const unsigned *mask, unsigned wanted, int *best)
{
    best_of_block<<<1, 64>>>(score, mask, wanted, best);
    ranks<<<1, 128>>>(score, best, best);
}
