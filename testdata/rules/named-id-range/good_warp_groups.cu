// Eight groups of four warps: numbers 1 to 8.
#include <cuda_runtime.h>

__device__ void group_sync(int id)
{
    asm volatile("bar.sync %0, 128;" ::"r"(id) : "memory");
}

__global__ void transpose_tiles(float *tiles)
{
    __shared__ float tile[1024];
    int group = threadIdx.x / 128;
    tile[threadIdx.x] = tiles[threadIdx.x];
    group_sync(group + 1);
    tiles[threadIdx.x] = tile[group * 128 + (threadIdx.x + 1) % 128];
}

void run(float *tiles)
{
    transpose_tiles<<<4, 1024>>>(tiles);
}
