// pedantic: 100 of 128 threads have work, whatever the data
#include <cuda_runtime.h>

__global__ void turn_around(float *row)
{
    __shared__ float line[100];
    if (threadIdx.x >= 100)
        return;
    line[threadIdx.x] = row[threadIdx.x];
    __syncthreads(); // expect: exit-before-sync
    row[threadIdx.x] = line[99 - threadIdx.x];
}

void launch(float *row)
{
    turn_around<<<1, 128>>>(row);
}
