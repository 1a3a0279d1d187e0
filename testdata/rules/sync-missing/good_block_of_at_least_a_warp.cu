// The host doubles the block until it is as wide as a row, and takes a warp at the least. The sum
// that all have read at its first word has been read by all before the next one comes.
#include <cuda_runtime.h>

__device__ float total(float value, float *scratch)
{
    __syncthreads();
    scratch[threadIdx.x] = value;
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            scratch[threadIdx.x] += scratch[threadIdx.x + half];
        __syncthreads();
    }
    return scratch[0];
}

__global__ void centre(float *rows, int columns)
{
    extern __shared__ float scratch[];
    float *row = rows + (size_t)blockIdx.x * columns;
    float sum = 0.0f, squares = 0.0f;
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        sum += row[i];
    const float mean = total(sum, scratch) / columns;
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        squares += (row[i] - mean) * (row[i] - mean);
    const float scale = rsqrtf(total(squares, scratch) / columns + 1e-5f);
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        row[i] = (row[i] - mean) * scale;
}

inline dim3 block_for(unsigned long width)
{
    const unsigned long most = width < 1024 ? width : 1024;
    unsigned long threads = 1;
    while (threads < most)
        threads *= 2;
    if (threads < 32)
        threads = 32;
    return dim3(threads);
}

void run(float *rows, int count, int columns)
{
    const dim3 block = block_for(columns);
    centre<<<count, block, block.x * sizeof(float)>>>(rows, columns);
}
