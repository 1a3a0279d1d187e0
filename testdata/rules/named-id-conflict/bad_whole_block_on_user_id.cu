// The form without a count means the whole block, whatever the number.
#include <cuda_runtime.h>

__device__ void sync_everybody(int id)
{
    asm volatile("bar.sync %0;" ::"r"(id) : "memory");
}

__global__ void two_users(float *data)
{
    __shared__ float line[128];
    line[threadIdx.x] = data[threadIdx.x];
    if (threadIdx.x >= 64) {
        asm volatile("bar.sync 6, 64;" ::: "memory");
        line[threadIdx.x] += line[threadIdx.x ^ 63];
    }
    sync_everybody(6); // expect: named-id-conflict
    data[threadIdx.x] = line[127 - threadIdx.x];
}

void run(float *data)
{
    two_users<<<1, 128>>>(data);
}
