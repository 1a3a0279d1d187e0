// A warp ends in the middle of the rounds.
#include <cuda_runtime.h>

__global__ void rounds(float *data, const int *__restrict__ until)
{
    __shared__ float line[64];
    const int last = until[threadIdx.x / 32];
    for (int r = 0; r < 8; ++r) {
        if (r > 2 * (threadIdx.x / 32) + 3)
            asm volatile("exit;"); // expect: named-exit
        line[threadIdx.x] = data[r * 64 + threadIdx.x] + last;
        asm volatile("bar.sync 1, 64;" ::: "memory");
        data[r * 64 + threadIdx.x] = line[63 - threadIdx.x];
    }
}

void run(float *data, const int *until)
{
    rounds<<<1, 64>>>(data, until);
}
