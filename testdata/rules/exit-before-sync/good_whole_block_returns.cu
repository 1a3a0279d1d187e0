// pedantic: all threads return or none
#include <cuda_runtime.h>

__global__ void smooth(const int *__restrict__ used, float *data)
{
    __shared__ float line[128];
    if (used[blockIdx.x] == 0 || blockIdx.x >= 1024)
        return;
    line[threadIdx.x] = data[blockIdx.x * 128 + threadIdx.x];
    __syncthreads();
    data[blockIdx.x * 128 + threadIdx.x] = line[127 - threadIdx.x];
}

void run(const int *used, float *data, int blocks)
{
    smooth<<<blocks, 128>>>(used, data);
}
