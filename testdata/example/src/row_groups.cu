// Wrong in two ways: groups of warps that meet at named barriers.
#include "named_barrier.cuh"

constexpr int kRowThreads = 80; // two and a half warps

// Each warp has a barrier of its own, and 32 warps need more than there are.
__global__ void scale_rows(float *rows)
{
    int warp = threadIdx.x / 32;
    rows[threadIdx.x] *= 2.0f;
    example::group_sync(warp, 32);
    rows[threadIdx.x] += rows[threadIdx.x ^ 1];
}

// All threads of the block meet, but they are no whole number of warps.
__global__ void shift_rows(float *rows)
{
    rows[threadIdx.x] += 1.0f;
    __barrier_sync_count(1, blockDim.x);
    rows[threadIdx.x] *= 0.5f;
}

void rows(float *data)
{
    scale_rows<<<1, 1024>>>(data);
    shift_rows<<<1, kRowThreads>>>(data);
}
