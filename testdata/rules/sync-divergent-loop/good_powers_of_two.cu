// The host passes powers of two, and more than 1024: half of one is a multiple of the block.
#include <cuda_runtime.h>

__global__ void butterfly(unsigned *data, size_t n)
{
    __shared__ unsigned held[256];
    for (size_t at = blockIdx.x * blockDim.x + threadIdx.x; at < n / 2; at += blockDim.x * gridDim.x) {
        held[threadIdx.x] = data[at];
        __syncthreads();
        data[at] = held[threadIdx.x ^ 32];
        __syncthreads();
    }
}

void run(unsigned *data, int stages)
{
    const size_t n = 1 << stages;
    if (n <= 1024)
        return;
    butterfly<<<n / 2 / 256, 256>>>(data, n);
}
