// Special registers, read one by one and as a whole.
#include <cuda_runtime.h>

__device__ unsigned linear(dim3 block, uint3 thread)
{
    return thread.x + block.x * (thread.y + block.y * thread.z);
}
__global__ void kernel(unsigned *p)
{
    p[0] = threadIdx.x + blockIdx.y * blockDim.z + gridDim.x;
    p[1] = linear(blockDim, threadIdx);
    p[2] = warpSize;
    const uint3 &t = threadIdx;
    p[3] = t.y;
}
