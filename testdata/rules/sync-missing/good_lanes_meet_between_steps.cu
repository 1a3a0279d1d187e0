// The steps of a scan by lanes of one warp: each reads, meets the others, writes and meets them
// again.
#include <cuda_runtime.h>

__device__ void scan(int *line, int lane)
{
    for (int step = 1; step < 32; step *= 2) {
        const int add = lane >= step ? line[lane - step] : 0;
        __syncwarp();
        line[lane] += add;
        __syncwarp();
    }
}

__global__ void totals(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ int line[32];
    line[threadIdx.x] = in[blockIdx.x * 32 + threadIdx.x];
    __syncwarp();
    scan(line, threadIdx.x);
    out[blockIdx.x * 32 + threadIdx.x] = line[31 - threadIdx.x];
}

void run(const int *in, int *out, int blocks)
{
    totals<<<blocks, 32>>>(in, out);
}
