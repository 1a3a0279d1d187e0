// Wrong in two ways: groups of warps that meet at named barriers.
#include "named_barrier.cuh"

constexpr int kGroupThreads = 48; // not a whole number of warps

// Each warp has a barrier of its own, and 32 warps need more than there are.
__global__ void scale_rows(float *rows)
{
    int warp = threadIdx.x / 32;
    rows[threadIdx.x] *= 2.0f;
    example::group_sync(warp, 32);
    rows[threadIdx.x] += rows[threadIdx.x ^ 1];
}

// The two groups hold one and a half warps each.
__global__ void shift_rows(float *rows)
{
    int group = threadIdx.x / kGroupThreads;
    rows[threadIdx.x] += 1.0f;
    __barrier_sync_count(1 + group, blockDim.x / 2);
    rows[threadIdx.x] *= 0.5f;
}

void rows(float *data)
{
    scale_rows<<<1, 1024>>>(data);
    shift_rows<<<1, 2 * kGroupThreads>>>(data);
}
