// The bounds of the kernel say 128 threads, the barrier waits for twice as many.
#include <cuda_runtime.h>

__device__ void sync_all(int id)
{
    asm volatile("bar.sync %0, 256;" ::"r"(id) : "memory");
}

__global__ void __launch_bounds__(128) reverse(float *data)
{
    __shared__ float line[128];
    line[threadIdx.x] = data[threadIdx.x];
    sync_all(1); // expect: named-count-block
    data[threadIdx.x] = line[127 - threadIdx.x];
}

void run(float *data)
{
    reverse<<<1, 128>>>(data);
}
