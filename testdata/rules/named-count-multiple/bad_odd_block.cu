// The count follows the block's size, and one launch has a block of 80 threads.
#include <cuda_runtime.h>

__global__ void sweep(float *data, int rounds)
{
    int threads = blockDim.x;
    for (int round = 0; round < rounds; ++round) {
        data[threadIdx.x] += 0.5f * data[threadIdx.x];
        asm volatile("bar.sync 2, %0;" ::"r"(threads) : "memory"); // expect: named-count-multiple
    }
}

void run(float *data)
{
    sweep<<<16, 80>>>(data, 4);
}
