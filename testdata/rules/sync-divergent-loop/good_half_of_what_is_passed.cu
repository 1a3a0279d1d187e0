// The block has half as many threads as what is passed for the count: half of the count for each
// row is a whole number of blocks.
#include <cuda_runtime.h>

__global__ void fold(unsigned *data, size_t n, size_t rows)
{
    extern __shared__ unsigned held[];
    const size_t all = n / 2 * rows;
    for (size_t at = blockIdx.x * blockDim.x + threadIdx.x; at < all; at += blockDim.x * gridDim.x) {
        held[threadIdx.x] = data[at];
        __syncthreads();
        data[at] = held[blockDim.x - 1 - threadIdx.x];
        __syncthreads();
    }
}

void run(unsigned *data, size_t columns, size_t rows)
{
    fold<<<rows, columns / 2, columns * sizeof(unsigned)>>>(data, columns, rows);
}
