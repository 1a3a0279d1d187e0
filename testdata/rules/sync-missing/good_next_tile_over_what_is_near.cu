// The next tile is stored when all have looked into this one.
#include <cuda_runtime.h>

__global__ void count_hits(const int *__restrict__ keys, const int *__restrict__ wanted,
                           int *__restrict__ out, int tiles)
{
    __shared__ int value[256];
    int hits = 0;
    for (int t = 0; t < tiles; ++t) {
        value[threadIdx.x] = keys[t * 256 + threadIdx.x];
        __syncthreads();
        if (wanted[t * 256 + threadIdx.x] > 0)
            hits += value[255 - threadIdx.x];
        __syncthreads();
    }
    out[blockIdx.x * 256 + threadIdx.x] = hits;
}

void run(const int *keys, const int *wanted, int *out, int tiles)
{
    count_hits<<<8, 256>>>(keys, wanted, out, tiles);
}
