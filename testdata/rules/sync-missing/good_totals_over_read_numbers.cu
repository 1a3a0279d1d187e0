#include <cuda_runtime.h>

// Each lane of the first warp sums 32 numbers.
__global__ void sum_of_block(const float *in, float *out)
{
    __shared__ float number[1024];
    number[threadIdx.x] = in[blockIdx.x * 1024 + threadIdx.x];
    __syncthreads();
    if (threadIdx.x < 32) {
        float total = 0;
        for (int i = 0; i < 32; ++i)
            total += number[threadIdx.x * 32 + i];
        __syncwarp();
        number[threadIdx.x] = total;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        float total = 0;
        for (int i = 0; i < 32; ++i)
            total += number[i];
        out[blockIdx.x] = total;
    }
}

void launch(const float *in, float *out, int blocks)
{
    sum_of_block<<<blocks, 1024>>>(in, out);
}
