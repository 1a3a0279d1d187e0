// One thread brings what the block has to do, a record, and another value is set behind the barrier;
// the next barrier stands in the loop over the rows, which a block without rows never enters.
#include <cuda_runtime.h>

struct part {
    unsigned rows, first;
    const unsigned *valid;
};

__global__ void count_valid(const part *parts, unsigned *to)
{
    __shared__ part own;
    __shared__ unsigned words[16];
    __shared__ unsigned count;
    if (threadIdx.x == 0)
        own = parts[blockIdx.x];
    __syncthreads();
    if (threadIdx.x == 0)
        count = 0;
    for (unsigned row = 0; row < own.rows; row += 512) {
        if (threadIdx.x < 16)
            words[threadIdx.x] = own.valid[(own.first + row) / 32 + threadIdx.x];
        __syncthreads();
        bool valid = words[threadIdx.x / 32] >> threadIdx.x % 32 & 1;
        if (valid)
            atomicAdd(&count, 1u);
        __syncthreads();
    }
    unsigned all = count; // expect: sync-missing
    for (unsigned i = threadIdx.x; i < all; i += 512)
        to[own.first + i] = blockIdx.x;
}

void run(const part *parts, unsigned *to, int blocks)
{
    count_valid<<<blocks, 512>>>(parts, to);
}
