// The two halves of a warp meet each for itself and read their own values; then all of it meets,
// and they read each other's.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void swap_halves(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ int value[128];
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    auto half = cg::tiled_partition<16>(warp);
    const int at = blockIdx.x * 128 + threadIdx.x;
    value[threadIdx.x] = in[at];
    half.sync();
    const int near = value[threadIdx.x ^ 1] + value[threadIdx.x ^ 8];
    warp.sync();
    out[at] = near + value[threadIdx.x ^ 16];
}

__global__ void quarters_one_by_one(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ int value[128];
    const unsigned lane = threadIdx.x % 32;
    const unsigned mine = 0xffu << (lane & ~7u), pair = 0xffffu << (lane & 16u);
    const int at = blockIdx.x * 128 + threadIdx.x;
    value[threadIdx.x] = in[at];
    __syncwarp(mine);
    int sum = value[threadIdx.x ^ 4];
    __syncwarp(pair);
    sum += value[threadIdx.x ^ 8];
    __syncwarp();
    out[at] = sum + value[threadIdx.x ^ 16];
}

void launch(const int *in, int *out, int blocks)
{
    swap_halves<<<blocks, 128>>>(in, out);
    quarters_one_by_one<<<blocks, 128>>>(in, out);
}
