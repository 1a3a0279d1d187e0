// The idle half of the block takes part in the barriers of the half that works, at places of its
// own: that is fine, and no excuse for a row that is turned round in place.
#include <cuda_runtime.h>

__global__ void turn_rows(int *rows)
{
    __shared__ int row[128];
    if (threadIdx.x < 128) {
        int *mine = rows + blockIdx.x * 128;
        row[threadIdx.x] = mine[threadIdx.x];
        __syncthreads();
        int kept = row[threadIdx.x];
        row[127 - threadIdx.x] = kept; // expect: sync-missing
        __syncthreads();
        mine[threadIdx.x] = row[threadIdx.x];
    } else {
        __syncthreads();
        __syncthreads();
    }
}

void launch(int *rows, int count)
{
    turn_rows<<<count, 256>>>(rows);
}
