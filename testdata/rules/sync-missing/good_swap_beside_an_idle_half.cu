// The idle half of the block takes part in the barriers of the half that works, at places of its
// own, and there are as many as that half needs.
#include <cuda_runtime.h>

__global__ void turn_rows(int *rows)
{
    __shared__ int row[128];
    if (threadIdx.x < 128) {
        int *mine = rows + blockIdx.x * 128;
        row[threadIdx.x] = mine[threadIdx.x];
        __syncthreads();
        int kept = row[threadIdx.x];
        __syncthreads();
        row[127 - threadIdx.x] = kept;
        __syncthreads();
        mine[threadIdx.x] = row[threadIdx.x];
    } else {
        __syncthreads();
        __syncthreads();
        __syncthreads();
    }
}

void launch(int *rows, int count)
{
    turn_rows<<<count, 256>>>(rows);
}
