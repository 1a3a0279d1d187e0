// As in bad_last_block_fences_too_late.cu, with a fence in front of the count as well.
#include <cuda_runtime.h>

__device__ inline float sum_of_block(float value)
{
    __shared__ float part[8];
    for (int offset = 16; offset > 0; offset /= 2)
        value += __shfl_down_sync(0xffffffff, value, offset);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = value;
    __syncthreads();
    float sum = 0.0f;
    for (int warp = 0; warp < 8; ++warp)
        sum += part[warp];
    return sum;
}

__global__ void dot(const float *x, const float *y, int n, float *partial, unsigned int *done,
                    float *out)
{
    float value = 0.0f;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
        value += x[i] * y[i];
    value = sum_of_block(value);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = value;
    __threadfence();
    if (threadIdx.x < 32) {
        unsigned int count = 0;
        if (threadIdx.x == 0)
            count = atomicAdd(done, 1);
        count = __shfl_sync(0xffffffff, count, 0);
        if (count == gridDim.x - 1) {
            __threadfence();
            float all = 0.0f;
            for (unsigned int b = threadIdx.x; b < gridDim.x; b += 32)
                all += partial[b];
            for (int offset = 16; offset > 0; offset /= 2)
                all += __shfl_down_sync(0xffffffff, all, offset);
            if (threadIdx.x == 0) {
                *out = all;
                *done = 0;
            }
        }
    }
}

void launch(const float *x, const float *y, int n, float *partial, unsigned int *done, float *out)
{
    dot<<<128, 256>>>(x, y, n, partial, done, out);
}
