// Whole warps are inside or outside with the numbers that the launches pass.
#include <cuda_runtime.h>

__global__ void any_above(const float *value, int *flag, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count && __any_sync(0xffffffff, value[i] > 1.0f))
        flag[i] = 1;
}

__global__ void inner_sum(const float *row, float *out, int margin, int width)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    if (x >= margin) {
        sum = x < width ? row[x] : 0.0f;
        for (int step = 16; step > 0; step /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, step);
    }
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, sum);
}

void launch(const float *value, int *flag, const float *row, float *out, int width)
{
    any_above<<<5, 64>>>(value, flag, 288);
    inner_sum<<<(width + 127) / 128, 128>>>(row, out, 32, width);
}
