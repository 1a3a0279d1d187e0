// Each block of the cluster has words of its own, which all of its warps add up: whole blocks part.
#include <cuda_runtime.h>

__global__ void __cluster_dims__(2) mirror(const int *in, int *out)
{
    __shared__ int own[32];
    __shared__ int line[128];
    const unsigned lane = threadIdx.x & 31;
    if (threadIdx.x < 32)
        own[lane] = in[blockIdx.x * 32 + lane];
    __syncthreads();
    int sum = own[lane];
    for (int step = 16; step > 0; step >>= 1)
        sum += __shfl_xor_sync(0xffffffffu, sum, step);
    const unsigned bits = __reduce_or_sync(0xffffffffu, (unsigned)own[lane]);
    if (sum > 0 && bits != 1) {
        line[threadIdx.x] = sum + threadIdx.x;
        __syncthreads();
        out[blockIdx.x * 128 + threadIdx.x] = line[127 - threadIdx.x];
    }
}

void launch(const int *in, int *out)
{
    mirror<<<8, 128>>>(in, out);
}
