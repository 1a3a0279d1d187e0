// All threads of the block come to the barrier. It is launched behind loops that launch very often,
// one of them checking each time, one within another.
#include <cuda_runtime.h>

__global__ void warm(float *line, int round)
{
    line[threadIdx.x] += round;
}

__device__ void turn_around(float *line)
{
    __shared__ float kept[48];
    if (threadIdx.x < 48) {
        kept[threadIdx.x] = line[threadIdx.x];
        __syncthreads();
        line[threadIdx.x] = kept[47 - threadIdx.x];
    }
}

__global__ void turn(float *line)
{
    turn_around(line);
}

__global__ void turn_again(float *line)
{
    turn_around(line);
}

__global__ void turn_at_last(float *line)
{
    turn_around(line);
}

void often(float *line)
{
    for (int i = 0; i < 20000; ++i)
        warm<<<1, 64>>>(line, i);
    turn<<<1, 48>>>(line);
}

void carefully(float *line)
{
    for (int i = 0; i < 100; ++i) {
        warm<<<1, 64>>>(line, i);
        if (cudaGetLastError() != cudaSuccess)
            return;
    }
    turn_again<<<1, 48>>>(line);
}

void within(float *line)
{
    for (int i = 0; i < 3000; ++i)
        for (int width = 32; width <= 256; width += 32)
            warm<<<4, width>>>(line, i);
    turn_at_last<<<1, 48>>>(line);
}
