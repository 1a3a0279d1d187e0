// The launch is made elsewhere: nothing is known of the size of the block.
#include <cuda_runtime.h>

__global__ void reverse(float *data)
{
    __shared__ float line[512];
    line[threadIdx.x] = data[threadIdx.x];
    asm volatile("bar.sync 1, 512;" ::: "memory");
    data[threadIdx.x] = line[511 - threadIdx.x];
}
