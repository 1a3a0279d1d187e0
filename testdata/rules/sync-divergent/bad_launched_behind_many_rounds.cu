// Of the blocks that are launched behind loops that launch very often, some threads pass the barrier
// by: 49 and 50 are no 48.
#include <cuda_runtime.h>

__global__ void warm(float *line, int round)
{
    line[threadIdx.x] += round;
}

__global__ void turn(float *line)
{
    __shared__ float kept[48];
    if (threadIdx.x < 48) {
        kept[threadIdx.x] = line[threadIdx.x];
        __syncthreads(); // expect: sync-divergent
        line[threadIdx.x] = kept[47 - threadIdx.x];
    }
}

__global__ void turn_again(float *line)
{
    __shared__ float kept[48];
    if (threadIdx.x < 48) {
        kept[threadIdx.x] = line[threadIdx.x];
        __syncthreads(); // expect: sync-divergent
        line[threadIdx.x] = kept[47 - threadIdx.x];
    }
}

void often(float *line)
{
    for (int i = 0; i < 20000; ++i)
        warm<<<1, 64>>>(line, i);
    turn<<<1, 50>>>(line);
}

void carefully(float *line)
{
    for (int i = 0; i < 100; ++i) {
        warm<<<1, 64>>>(line, i);
        if (cudaGetLastError() != cudaSuccess)
            return;
    }
    turn_again<<<1, 49>>>(line);
}
