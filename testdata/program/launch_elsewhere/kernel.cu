// Both kernels are launched by main.cu only, which says how many threads they have.
#include "kernels.h"

__global__ void partial(int *data)
{
    if (threadIdx.x < 300)
        __syncthreads(); // expect: sync-divergent
    data[threadIdx.x] = 1;
}

__global__ void full(int *data)
{
    if (threadIdx.x < 48)
        __syncthreads(); // launched with 32 threads
    data[threadIdx.x] = 1;
}
