// Two teams that have nothing to do with each other: one comes twice, the other disagrees on how
// many it is.
#include <cuda_runtime.h>

__device__ void meet(int barrier, int threads)
{
    asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

__device__ void signal(int barrier, int threads)
{
    asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

__global__ void two_teams(const int *in, int *out, int rounds)
{
    __shared__ int first[64], second[64];
    int warp = threadIdx.x / 32;
    if (warp < 2) {
        for (int r = 0; r < rounds; ++r) {
            if (warp == 0) {
                first[threadIdx.x] = in[r * 32 + threadIdx.x];
                signal(1, 64); // expect: named-double-arrive
            } else {
                meet(1, 64);
                out[r * 32 + threadIdx.x - 32] = first[threadIdx.x - 32];
            }
        }
    } else if (warp == 2) {
        second[threadIdx.x - 64] = in[threadIdx.x];
        signal(2, 96);
    } else {
        meet(2, 64); // expect: named-count-mismatch
        out[threadIdx.x] = second[threadIdx.x - 96];
    }
}

void launch(const int *in, int *out)
{
    two_teams<<<1, 128>>>(in, out, 16);
}
