// A filler signals with its own size where readers count both groups: who hangs then, at this
// barrier and at those of free buffers, hangs for that.
#include <cuda_runtime.h>

enum { FILLED = 1, FREE = 3, FILLERS = 64, ALL = 192 };

__device__ void meet(int barrier, int threads)
{
    asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

__device__ void signal(int barrier, int threads)
{
    asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

__global__ void relay(const float *in, float *out, int rounds)
{
    __shared__ float buffer[2][128];
    if (threadIdx.x < FILLERS) {
        for (int r = 0; r < rounds; ++r) {
            meet(FREE + r % 2, ALL);
            buffer[r % 2][threadIdx.x] = in[r * 128 + threadIdx.x];
            buffer[r % 2][threadIdx.x + 64] = in[r * 128 + threadIdx.x + 64];
            signal(FILLED + r % 2, FILLERS);
        }
    } else {
        int t = threadIdx.x - FILLERS;
        for (int r = 0; r < rounds; ++r) {
            signal(FREE + r % 2, ALL);
            meet(FILLED + r % 2, ALL); // expect: named-count-mismatch
            out[r * 128 + t] = buffer[r % 2][127 - t];
        }
    }
}

void launch(const float *in, float *out)
{
    relay<<<8, ALL>>>(in, out, 24);
}
