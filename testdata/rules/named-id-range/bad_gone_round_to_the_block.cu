// The number of the last team is 16, which is 0 on the device: the barrier of the whole block.
#include <cuda_runtime.h>

__global__ void teams(const int *in, int *out)
{
    __shared__ int line[256];
    int team = threadIdx.x / 64;
    line[threadIdx.x] = in[threadIdx.x];
    asm volatile("bar.sync %0, 64;" ::"r"(4 + team * 4) : "memory"); // expect: named-id-range
    int other = line[threadIdx.x ^ 33];
    __syncthreads();
    out[threadIdx.x] = other + line[255 - threadIdx.x];
}

void launch(const int *in, int *out)
{
    teams<<<1, 256>>>(in, out);
}
