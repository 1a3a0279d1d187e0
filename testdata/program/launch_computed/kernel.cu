// How what main.cu passes and the block's threads hang together is known there only.
#include "kernels.h"

__global__ void fold(unsigned *data, unsigned long long n, unsigned long long rows)
{
    __shared__ unsigned held[1024];
    const unsigned long long all = n / 2 * rows;
    for (unsigned long long at = blockIdx.x * blockDim.x + threadIdx.x; at < all;
         at += blockDim.x * gridDim.x) {
        held[threadIdx.x] = data[at];
        __syncthreads(); // the block has n / 2 threads
        data[at] = held[blockDim.x - 1 - threadIdx.x];
        __syncthreads();
    }
}

__global__ void mirror(unsigned *data, unsigned long long n)
{
    __shared__ unsigned held[64];
    for (unsigned long long at = blockIdx.x * blockDim.x + threadIdx.x; at < n;
         at += blockDim.x * gridDim.x) {
        held[threadIdx.x] = data[at];
        __syncthreads(); // expect: sync-divergent-loop
        data[at] = held[threadIdx.x ^ 32];
        __syncthreads();
    }
}

__global__ void turn(Tiles tiles)
{
    __shared__ unsigned held[64];
    for (unsigned at = threadIdx.x; at < tiles.of.count; at += 64) {
        held[threadIdx.x] = tiles.data[at];
        __syncthreads(); // main.cu passes whole tiles only
        tiles.data[at] = held[63 - threadIdx.x];
        __syncthreads();
    }
}

__global__ void turn_rest(Tiles tiles)
{
    __shared__ unsigned held[64];
    for (unsigned at = threadIdx.x; at < tiles.of.count; at += 64) {
        held[threadIdx.x] = tiles.data[at];
        __syncthreads(); // expect: sync-divergent-loop
        tiles.data[at] = held[threadIdx.x ^ 32];
        __syncthreads();
    }
}
