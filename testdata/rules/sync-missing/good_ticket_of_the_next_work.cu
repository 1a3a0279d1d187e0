// The fence in front of the ticket orders nothing that anybody asks for: the number says which tile
// comes next, and what the block has stored nobody reads here.
#include <cuda_runtime.h>

__device__ unsigned int next_tile;

__global__ void double_tiles(const float *in, float *out, unsigned int tiles)
{
    __shared__ unsigned int tile;
    while (true) {
        if (threadIdx.x == 0) {
            __threadfence();
            tile = atomicAdd(&next_tile, 1);
        }
        __syncthreads();
        const unsigned int mine = tile;
        __syncthreads();
        if (mine >= tiles)
            return;
        out[mine * 128 + threadIdx.x] = 2 * in[mine * 128 + threadIdx.x];
    }
}

__global__ void halve_tiles(const float *in, float *out, unsigned int tiles)
{
    __shared__ unsigned int tile;
    unsigned int mine = blockIdx.x;
    while (mine < tiles) {
        const float *from = in + mine * 128;
        float *to = out + mine * 128;
        to[threadIdx.x] = from[threadIdx.x] / 2;
        __threadfence();
        if (threadIdx.x == 0)
            tile = gridDim.x + atomicAdd(&next_tile, 1);
        __syncthreads();
        mine = tile;
        __syncthreads();
    }
}

void run(const float *in, float *out, unsigned int tiles)
{
    double_tiles<<<64, 128>>>(in, out, tiles);
    halve_tiles<<<64, 128>>>(in, out, tiles);
}
