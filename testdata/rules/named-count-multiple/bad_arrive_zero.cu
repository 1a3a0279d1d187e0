// An arrive that counts nobody: the block is one warp, and half a warp is no warp.
#include <cuda_runtime.h>

__global__ void signal(float *data)
{
    int partners = blockDim.x / 64 * 32;
    data[threadIdx.x] += 1.0f;
    asm volatile("bar.arrive 1, %0;" ::"r"(partners) : "memory"); // expect: named-count-multiple
}

void run(float *data)
{
    signal<<<8, 32>>>(data);
}
