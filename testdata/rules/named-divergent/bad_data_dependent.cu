// Threads whose item is empty skip the group's barrier.
#include <cuda_runtime.h>

__device__ void group_sync()
{
    asm volatile("barrier.sync.aligned 3, 64;" ::: "memory");
}

__global__ void exchange(const int *__restrict__ item, int *__restrict__ out)
{
    __shared__ int line[64];
    line[threadIdx.x] = 0;
    if (item[threadIdx.x] > 0) {
        line[threadIdx.x] = item[threadIdx.x];
        group_sync(); // expect: named-divergent
    }
    out[threadIdx.x] = line[63 - threadIdx.x];
}

void run(const int *item, int *out)
{
    exchange<<<1, 64>>>(item, out);
}
