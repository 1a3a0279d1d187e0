// The first block waits until all others have counted themselves, and these wait until it lets them
// go on: in a launch of more blocks than fit none of those that wait makes room.
#include <cuda_runtime.h>

__global__ void settle(float *load, int *counted, volatile int *open)
{
    load[blockIdx.x * 128 + threadIdx.x] *= 0.5f;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        if (blockIdx.x == 0) {
            while (*(volatile int *)counted < (int)gridDim.x - 1) { // expect: grid-handmade
            }
            __threadfence();
            *open = 1;
        } else {
            atomicAdd(counted, 1);
            while (*open == 0) {
            }
            __threadfence();
        }
    }
    __syncthreads();
    load[blockIdx.x * 128 + threadIdx.x] += load[(blockIdx.x ^ 1) * 128 + threadIdx.x];
}

void launch(float *load, int *counted, int *open)
{
    settle<<<4096, 128>>>(load, counted, open);
}
