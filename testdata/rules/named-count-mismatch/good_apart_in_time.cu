// One id, first for all warps and later for half of them: a barrier of the block lies between.
#include <cuda_runtime.h>

__device__ void sync(int id, int threads)
{
    asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

__global__ void two_parts(float *data)
{
    __shared__ float line[256];
    line[threadIdx.x] = data[threadIdx.x];
    sync(5, 256);
    float value = line[255 - threadIdx.x];
    __syncthreads();
    if (threadIdx.x < 128) {
        line[threadIdx.x] = value;
        sync(5, 128);
        value += line[127 - threadIdx.x];
    }
    data[threadIdx.x] = value;
}

void run(float *data)
{
    two_parts<<<1, 256>>>(data);
}
