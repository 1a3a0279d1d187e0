// As many elements as whole warps have, and the last block has some warps only.
#include <cuda_runtime.h>

__global__ void swap_warps(float *data, int count)
{
    __shared__ float line[256];
    const int at = blockIdx.x * 256 + threadIdx.x;
    if (at < count) {
        line[threadIdx.x] = data[at];
        __syncthreads(); // expect: sync-divergent
        data[at] = line[threadIdx.x ^ 32];
    }
}

void run(float *data, int rows, int columns)
{
    const int count = 32 * rows * columns;
    swap_warps<<<(count + 255) / 256, 256>>>(data, count);
}
