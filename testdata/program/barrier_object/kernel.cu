// The barrier lies here; who arrives at it, and how often it is waited for, stands elsewhere.
#include "device.h"

__global__ void producer_and_consumer(int *data)
{
    __shared__ unsigned long long barrier;
    if (threadIdx.x == 0)
        init(&barrier, 64);
    __syncthreads();
    if (threadIdx.x < 32)
        arrive(&barrier);
    wait(&barrier, 0); // expect: init-count-mismatch
    data[threadIdx.x] = 1;
}

void run(int *data)
{
    producer_and_consumer<<<1, 64>>>(data);
}
