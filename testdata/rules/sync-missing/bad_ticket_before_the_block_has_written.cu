// Every thread fences what it has added, and thread 0 takes the block's ticket at once: the block
// that is last may add up what warps of others have yet to write.
#include <cuda_runtime.h>

__device__ unsigned int blocks_done;

__global__ void column_sums(const float *__restrict__ in, float *__restrict__ partial,
                            float *__restrict__ out, int rows, int columns)
{
    const int column = threadIdx.x;
    float sum = 0.0f;
    for (int row = blockIdx.x; row < rows; row += gridDim.x)
        sum += in[row * columns + column];
    partial[blockIdx.x * columns + column] = sum;
    __threadfence();

    __shared__ bool last;
    if (threadIdx.x == 0)
        last = atomicAdd(&blocks_done, 1) == gridDim.x - 1; // expect: sync-missing
    __syncthreads();
    if (!last)
        return;
    float total = 0.0f;
    for (unsigned int b = 0; b < gridDim.x; ++b)
        total += partial[b * columns + column];
    out[column] = total;
    if (threadIdx.x == 0)
        blocks_done = 0;
}

void run(const float *in, float *partial, float *out, int rows)
{
    column_sums<<<64, 256>>>(in, partial, out, rows, 256);
}
