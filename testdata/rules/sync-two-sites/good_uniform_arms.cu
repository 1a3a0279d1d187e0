// Two barriers in the text, of which a block takes one.
#include <cuda_runtime.h>

__global__ void by_parity(float *data, int mode)
{
    __shared__ float line[128];
    line[threadIdx.x] = data[threadIdx.x];
    if (blockIdx.x & 1) {
        line[threadIdx.x] *= 2.0f;
        __syncthreads();
    } else {
        __syncthreads();
    }
    mode ? __syncthreads() : __syncwarp();
    data[threadIdx.x] = line[127 - threadIdx.x];
}

void run(float *data, int mode)
{
    by_parity<<<2, 128>>>(data, mode);
}
