// Count and bound are the number of columns, which is whole warps at every launch.
#include <cuda_runtime.h>

__device__ __forceinline__ void columns_sync(int threads)
{
    asm volatile("barrier.cta.sync 3, %0;" ::"r"(threads) : "memory");
}

__global__ void mirror(const float *in, float *out, int columns)
{
    __shared__ float row[128];
    if (threadIdx.x < columns) {
        row[threadIdx.x] = in[blockIdx.x * columns + threadIdx.x];
        columns_sync(columns);
        out[blockIdx.x * columns + threadIdx.x] = row[columns - 1 - threadIdx.x];
    }
}

void launch(const float *in, float *out)
{
    mirror<<<16, 128>>>(in, out, 96);
    mirror<<<16, 64>>>(in, out, 64);
}
