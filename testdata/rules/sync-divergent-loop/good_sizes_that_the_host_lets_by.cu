// The host goes on for three sizes only, and chooses the block by them: each is a whole number of
// blocks.
#include <cuda_runtime.h>

#include <stdexcept>

__global__ void rounds(unsigned *data, size_t n, size_t rows)
{
    extern __shared__ unsigned held[];
    for (size_t at = blockIdx.x * blockDim.x + threadIdx.x; at < n / 8 * rows;
         at += blockDim.x * gridDim.x) {
        held[threadIdx.x] = data[at];
        __syncthreads();
        data[at] = held[threadIdx.x ^ 1];
        __syncthreads();
    }
}

void run(unsigned *data, size_t n, size_t rows)
{
    size_t sample;
    switch (n) {
    case 2048:
    case 4096:
        sample = 64;
        break;
    case 8192:
        sample = 128;
        break;
    default:
        throw std::invalid_argument("size");
    }
    rounds<<<4096, sample / 8 * 4, sample / 8 * 4 * sizeof(unsigned)>>>(data, n, rows);
}
