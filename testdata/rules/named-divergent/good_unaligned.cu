// Lanes reach the barrier by two ways, with the form that allows it.
#include <cuda_runtime.h>

__device__ void sync_unaligned(int id, int threads)
{
    asm volatile("barrier.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

__global__ void both_ways(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ int line[64];
    if (in[threadIdx.x] % 2 == 0) {
        line[threadIdx.x] = in[threadIdx.x];
        sync_unaligned(1, 64);
    } else {
        line[threadIdx.x] = -in[threadIdx.x];
        sync_unaligned(1, 64);
    }
    out[threadIdx.x] = line[63 - threadIdx.x];
}

void run(const int *in, int *out)
{
    both_ways<<<1, 64>>>(in, out);
}
