// Half a warp too many is counted; what the barrier would have kept apart is not told as well.
#include <cuda_runtime.h>

__device__ __forceinline__ void team_sync(int threads)
{
    asm volatile("bar.sync 3, %0;" ::"r"(threads) : "memory");
}

__global__ void halves(const float *in, float *out, int rows)
{
    __shared__ float line[64];
    if (threadIdx.x >= 64)
        return;
    for (int r = 0; r < rows; ++r) {
        line[threadIdx.x] = in[r * 64 + threadIdx.x];
        team_sync(80); // expect: named-count-multiple
        out[r * 64 + threadIdx.x] = line[63 - threadIdx.x];
        team_sync(80); // expect: named-count-multiple
    }
}

void launch(const float *in, float *out, int rows)
{
    halves<<<4, 96>>>(in, out, rows);
}
