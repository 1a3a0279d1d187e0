// The condition belongs to the addition alone; unrolled for the block sizes that are launched.
#include <cuda_runtime.h>

template <unsigned BlockSize>
__global__ void reduce(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ int line[BlockSize];
    const unsigned tid = threadIdx.x;
    line[tid] = in[blockIdx.x * BlockSize + tid];
    __syncthreads();
    if (BlockSize >= 512) {
        if (tid < 256)
            line[tid] += line[tid + 256];
        __syncthreads();
    }
    if (BlockSize >= 256) {
        if (tid < 128)
            line[tid] += line[tid + 128];
        __syncthreads();
    }
    if (BlockSize >= 128) {
        if (tid < 64)
            line[tid] += line[tid + 64];
        __syncthreads();
    }
    if (tid < 32) {
        int sum = line[tid] + line[tid + 32];
        for (int step = 16; step > 0; step /= 2)
            sum += __shfl_down_sync(0xffffffffu, sum, step);
        if (tid == 0)
            out[blockIdx.x] = sum;
    }
}

void run(const int *in, int *out, int blocks)
{
    reduce<512><<<blocks, 512>>>(in, out);
    reduce<128><<<blocks, 128>>>(in, out);
}
