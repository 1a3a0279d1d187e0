// block.sync() is the plain barrier, __syncthreads_and() the voting one.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ bool all_done(bool mine)
{
    return __syncthreads_and(mine) != 0;
}

__global__ void settle(float *data, const float *limit)
{
    __shared__ float line[64];
    cg::thread_block block = cg::this_thread_block();
    line[threadIdx.x] = data[threadIdx.x];
    bool done = false;
    if (threadIdx.x < 32)
        block.sync();
    else
        done = all_done(data[threadIdx.x] < limit[0]); // expect: named-red-mix
    data[threadIdx.x] = done ? 0.0f : line[63 - threadIdx.x];
}

void run(float *data, const float *limit)
{
    settle<<<1, 64>>>(data, limit);
}
