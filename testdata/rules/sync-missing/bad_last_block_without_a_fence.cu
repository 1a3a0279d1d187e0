// The block that comes last adds up what the others have written. A barrier of the block does not
// make that known to other blocks, nor does the count by itself.
#include <cuda_runtime.h>

__device__ unsigned int blocks_done;

__global__ void column_sums(const float *__restrict__ in, float *partial, float *out, int rows)
{
    __shared__ bool last;
    const int column = threadIdx.x;
    float sum = 0.0f;
    for (int row = blockIdx.x; row < rows; row += gridDim.x)
        sum += in[row * 256 + column];
    partial[blockIdx.x * 256 + column] = sum;
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicAdd(&blocks_done, 1) == gridDim.x - 1; // expect: sync-missing
    __syncthreads();
    if (!last)
        return;
    float total = 0.0f;
    for (unsigned int b = 0; b < gridDim.x; ++b)
        total += partial[b * 256 + column];
    out[column] = total;
    if (threadIdx.x == 0)
        blocks_done = 0;
}

__global__ void largest(const float *__restrict__ in, float *most, float *out, unsigned int *done)
{
    __shared__ unsigned int before;
    const float value = __reduce_max_sync(0xffffffff, (unsigned int)in[blockIdx.x * 32 + threadIdx.x]);
    if (threadIdx.x == 0) {
        most[blockIdx.x] = value;
        before = atomicInc(done, gridDim.x - 1); // expect: sync-missing
    }
    __syncthreads();
    if (before == gridDim.x - 1) {
        float all = 0;
        for (unsigned int b = threadIdx.x; b < gridDim.x; b += 32)
            all = fmaxf(all, __ldcg(&most[b]));
        out[threadIdx.x] = all;
    }
}

void run(const float *in, float *partial, float *out, unsigned int *done, int rows)
{
    column_sums<<<64, 256>>>(in, partial, out, rows);
    largest<<<64, 32>>>(in, partial, out, done);
}
