// Odd-even sort: each thread exchanges a pair, and the pairs of the next round overlap them.
#include <cuda_runtime.h>

__device__ void order(int *key, int at)
{
    if (key[at] > key[at + 1]) { // expect: sync-missing
        int larger = key[at];
        key[at] = key[at + 1];
        key[at + 1] = larger; // expect: sync-missing
    }
}

__global__ void sort_rows(int *rows)
{
    __shared__ int key[513];
    key[threadIdx.x] = rows[blockIdx.x * 512 + threadIdx.x];
    key[threadIdx.x + 256] = rows[blockIdx.x * 512 + threadIdx.x + 256];
    if (threadIdx.x == 0)
        key[512] = 2147483647;
    __syncthreads();
    for (int round = 0; round < 512; ++round) {
        order(key, 2 * threadIdx.x);
        order(key, 2 * threadIdx.x + 1);
        __syncthreads();
    }
    rows[blockIdx.x * 512 + threadIdx.x] = key[threadIdx.x];
    rows[blockIdx.x * 512 + threadIdx.x + 256] = key[threadIdx.x + 256];
}

void launch(int *rows, int count)
{
    sort_rows<<<count, 256>>>(rows);
}
