// Each round of the loop makes the mask of the next one from the lanes that go on, so that a vote
// says how long the loop is. Behind it warps read what others have counted, all behind a barrier.
#include <cuda_runtime.h>

__global__ void count_bits(const unsigned *bits, int *total, int n, int form)
{
    __shared__ int counts[8];
    int i = blockIdx.x * 256 + threadIdx.x, count = 0;
    unsigned active = __ballot_sync(0xffffffff, i < n);
    while (i < n) {
        unsigned set = __ballot_sync(active, bits[i] != 0);
        if (threadIdx.x % 32 == 0)
            count += __popc(set);
        i += 256 * gridDim.x;
        active = __ballot_sync(active, i < n);
    }
    if (form == 2) {
        if (threadIdx.x % 32 == 0)
            counts[threadIdx.x / 32] = count;
        __syncthreads();
        if (threadIdx.x < 8)
            atomicAdd(total, counts[threadIdx.x]);
        __syncthreads();
    }
}

void launch(const unsigned *bits, int *total, int n, int form, int blocks)
{
    count_bits<<<blocks, 256>>>(bits, total, n, form);
}
