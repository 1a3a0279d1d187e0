// Numbers that say which work comes next, and that others may ask for as well: the last one raises
// a flag, the place in a list is where it is written that the tile is done, and the sum of a tile is
// read by the block that takes it up.
#include <cuda_runtime.h>

__device__ unsigned int next_tile;

__global__ void last_raises_a_flag(const float *in, float *out, unsigned int tiles, unsigned *done)
{
    __shared__ unsigned int tile;
    unsigned int mine = blockIdx.x;
    while (mine < tiles) {
        out[mine * 128 + threadIdx.x] = in[mine * 128 + threadIdx.x] / 2;
        __threadfence();
        if (threadIdx.x == 0) {
            tile = gridDim.x + atomicAdd(&next_tile, 1); // expect: sync-missing
            if (tile == tiles + gridDim.x - 1)
                *done = 1;
        }
        __syncthreads();
        mine = tile;
        __syncthreads();
    }
}

__global__ void listed(const float *in, float *out, unsigned int tiles, unsigned *list)
{
    for (unsigned int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        out[tile * 128 + threadIdx.x] = in[tile * 128 + threadIdx.x] / 2;
        __threadfence();
        if (threadIdx.x == 0) {
            const unsigned int place = atomicAdd(&next_tile, 1); // expect: sync-missing
            list[place] = tile;
        }
        __syncthreads();
    }
}

__global__ void taken_up(const float *in, float *sums, unsigned int tiles)
{
    __shared__ unsigned int tile;
    unsigned int mine = blockIdx.x;
    while (mine < tiles) {
        sums[mine * 128 + threadIdx.x] = in[mine * 128 + threadIdx.x];
        __threadfence();
        if (threadIdx.x == 0)
            tile = atomicAdd(&next_tile, 1); // expect: sync-missing
        __syncthreads();
        mine = tile;
        if (mine < tiles && mine > 0)
            sums[mine * 128 + threadIdx.x] += sums[mine * 128 - 128 + threadIdx.x];
        __syncthreads();
    }
}

void run(const float *in, float *out, unsigned int tiles, unsigned int *done, unsigned int *list)
{
    last_raises_a_flag<<<64, 128>>>(in, out, tiles, done);
    listed<<<64, 128>>>(in, out, tiles, list);
    taken_up<<<64, 128>>>(in, out, tiles);
}
