// Warps take turns at one row of sums. The lane that hands the row on to the next warp does not wait
// for the others of its own.
#include <cuda_runtime.h>

__global__ void row_sums(const int *__restrict__ tiles, int count, int *__restrict__ sums)
{
    __shared__ int row[32];
    __shared__ volatile int turn;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (warp == 0)
        row[lane] = 0;
    if (threadIdx.x == 0)
        turn = 0;
    __syncthreads();
    for (int tile = warp; tile < count; tile += 4) {
        while (lane == 0 && turn != tile) {
        }
        __syncwarp();
        row[lane] += tiles[tile * 32 + lane];
        __threadfence_block();
        if (lane == 0)
            turn = tile + 1; // expect: sync-missing
    }
    __syncthreads();
    if (warp == 0)
        sums[lane] = row[lane];
}

void run(const int *tiles, int count, int *sums)
{
    row_sums<<<1, 128>>>(tiles, count, sums);
}
