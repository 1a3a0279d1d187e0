// Two sums after each other in the same words: nobody stores a part of the second one before all
// have read the first one.
#include <cuda_runtime.h>

__device__ float sum_of_block(float value, volatile float *part)
{
    __syncthreads();
    part[threadIdx.x] = value;
    __syncthreads();
    for (int step = blockDim.x / 2; step > 0; step /= 2) {
        if (threadIdx.x < step)
            part[threadIdx.x] = part[threadIdx.x] + part[threadIdx.x + step];
        __syncthreads();
    }
    return part[0];
}

__global__ void centres(float const *x, float const *y, float *out)
{
    __shared__ volatile float part[256];
    float cx = sum_of_block(x[threadIdx.x], part);
    float cy = sum_of_block(y[threadIdx.x], part);
    out[threadIdx.x] = (x[threadIdx.x] - cx) * (y[threadIdx.x] - cy);
}

void launch(float const *x, float const *y, float *out)
{
    centres<<<1, 256>>>(x, y, out);
}
