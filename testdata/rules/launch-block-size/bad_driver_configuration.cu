// The bounds of the kernel against the configuration that the driver gets.
#include <cuda.h>

template <int THREADS> __global__ void __launch_bounds__(THREADS) scale(float *cell)
{
    __shared__ float line[THREADS];
    line[threadIdx.x] = cell[blockIdx.x * THREADS + threadIdx.x];
    __syncthreads();
    cell[blockIdx.x * THREADS + threadIdx.x] = 2 * line[THREADS - 1 - threadIdx.x];
}

void run(float *cell, unsigned blocks)
{
    CUlaunchConfig config = {};
    config.gridDimX = blocks;
    config.gridDimY = config.gridDimZ = 1;
    config.blockDimX = 256;
    config.blockDimY = config.blockDimZ = 1;
    void *arguments[] = {&cell};
    cuLaunchKernelEx(&config, (CUfunction)scale<128>, arguments, nullptr); // expect: launch-block-size
}
