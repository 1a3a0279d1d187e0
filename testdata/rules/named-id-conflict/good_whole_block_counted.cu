// Barrier 0 with the count of the whole block takes turns with __syncthreads().
#include <cuda_runtime.h>

__global__ void __launch_bounds__(128) reverse(float *data)
{
    __shared__ float line[128];
    line[threadIdx.x] = data[threadIdx.x];
    asm volatile("bar.sync 0, 128;" ::: "memory");
    const float value = line[127 - threadIdx.x];
    __syncthreads();
    line[threadIdx.x] = value;
    asm volatile("bar.sync 0, 128;" ::: "memory");
    data[threadIdx.x] = line[threadIdx.x ^ 1];
}

void run(float *data)
{
    reverse<<<1, 128>>>(data);
}
