// An instance that is launched where its template is only declared.
#include "kernels.h"

template <int THREADS>
__global__ void partial(int *data)
{
    if (threadIdx.x < THREADS)
        __syncthreads(); // expect: sync-divergent
    data[threadIdx.x] = 1;
}

template __global__ void partial<300>(int *data);
