// A block of 48 threads is two warps: the barrier counts 64.
#include <cuda_runtime.h>

__global__ void reverse(float *data)
{
    __shared__ float line[48];
    line[threadIdx.x] = data[threadIdx.x];
    const int whole = (blockDim.x + 31) / 32 * 32;
    asm volatile("bar.sync 1, %0;" ::"r"(whole) : "memory");
    data[threadIdx.x] = line[47 - threadIdx.x];
}

void run(float *data)
{
    reverse<<<1, 48>>>(data);
}
