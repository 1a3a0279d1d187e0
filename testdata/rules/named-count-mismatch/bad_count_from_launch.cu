// One role counts the block, the other one the constant it was written for.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

__global__ void fold(float *data)
{
    __shared__ float line[128];
    line[threadIdx.x] = data[threadIdx.x];
    if (threadIdx.x < 64) {
        asm volatile("barrier.sync.aligned 2, %0;" ::"r"(blockDim.x) : "memory");
        data[threadIdx.x] = line[127 - threadIdx.x];
    } else {
        asm volatile("barrier.sync.aligned 2, %0;" ::"r"(kThreads / 4) : "memory"); // expect: named-count-mismatch
        data[threadIdx.x] = line[64 - threadIdx.x % 64];
    }
}

void run(float *data)
{
    fold<<<1, 128>>>(data);
}
