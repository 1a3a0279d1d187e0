// A number below zero: the first group has no group before it.
#include <cuda_runtime.h>

__device__ inline void sync_with(int id)
{
    asm volatile("barrier.cta.sync %0, %1;" ::"r"(id), "n"(64) : "memory");
}

__global__ void chain(float *data)
{
    int group = threadIdx.x / 64;
    data[threadIdx.x] *= 2.0f;
    sync_with(group - 1); // expect: named-id-range
    data[threadIdx.x] += data[threadIdx.x ^ 1];
}

void run(float *data)
{
    chain<<<1, 256>>>(data);
}
