// The helper that thread 0 calls ends with a barrier of the block.
#include <cuda_runtime.h>

__device__ void write_total(const int *part, int *out)
{
    int total = 0;
    for (int i = 0; i < 128; ++i)
        total += part[i];
    out[blockIdx.x] = total;
    __syncthreads(); // expect: sync-divergent
}

__global__ void totals(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ int part[128];
    part[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0)
        write_total(part, out);
    part[threadIdx.x] = 0;
}

void run(const int *in, int *out, int blocks)
{
    totals<<<blocks, 128>>>(in, out);
}
