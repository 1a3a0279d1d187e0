// One barrier a warp: 32 warps need more than there are.
#include <cuda_runtime.h>

__device__ void warp_pair_sync(int id)
{
    asm volatile("bar.sync %0, 32;" ::"r"(id) : "memory");
}

__global__ void transpose_tiles(float *tiles)
{
    __shared__ float tile[32][33];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    tile[warp][lane] = tiles[threadIdx.x];
    warp_pair_sync(warp); // expect: named-id-range
    tiles[threadIdx.x] = tile[warp][31 - lane];
}

void run(float *tiles)
{
    transpose_tiles<<<4, 1024>>>(tiles);
}
