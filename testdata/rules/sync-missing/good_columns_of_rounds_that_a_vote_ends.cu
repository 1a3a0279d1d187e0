// How many columns there are nobody knows, and how many rounds each of them has a vote says. Nobody
// stores what it has counted in the next column before all have read that of this one.
#include <cuda_runtime.h>

__device__ int count_of_block(int count)
{
    __shared__ int counts[8];
    if (threadIdx.x % 32 == 0)
        counts[threadIdx.x / 32] = count;
    __syncthreads();
    return threadIdx.x < 8 ? counts[threadIdx.x] : 0;
}

__global__ void count_bits(const unsigned *bits, int *total, int n, int columns)
{
    for (int column = 0; column < columns; ++column) {
        int i = blockIdx.x * 256 + threadIdx.x, count = 0;
        unsigned active = __ballot_sync(0xffffffff, i < n);
        while (i < n) {
            count += __popc(__ballot_sync(active, bits[column * n + i] != 0));
            i += 256 * gridDim.x;
            active = __ballot_sync(active, i < n);
        }
        __syncthreads();
        int part = count_of_block(count);
        if (threadIdx.x < 8)
            atomicAdd(total + column, part);
    }
}

void launch(const unsigned *bits, int *total, int n, int columns, int blocks)
{
    count_bits<<<blocks, 256>>>(bits, total, n, columns);
}
