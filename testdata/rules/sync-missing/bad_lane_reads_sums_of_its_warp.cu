// Lanes write to memory of the grid what lane 0 of their warp adds up, and nothing says that it
// waits for them. The block's barrier comes later.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void sums(const float *in, float *part, float *out)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float *mine = part + (blockIdx.x * (blockDim.x / 32) + warp) * 32;
    mine[lane] = in[blockIdx.x * blockDim.x + threadIdx.x];
    if (lane == 0) {
        float all = 0;
        for (int i = 0; i < 32; ++i)
            all += mine[i]; // expect: sync-missing
        mine[0] = all;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        out[blockIdx.x] = part[blockIdx.x * blockDim.x] + part[blockIdx.x * blockDim.x + 32];
}

__global__ void turned(const int *in, int *to, int *out)
{
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    const int first = blockIdx.x * 64 + tile.meta_group_rank() * 16, rank = tile.thread_rank();
    to[first + rank] = in[first + rank];
    out[first + rank] = to[first + 15 - rank]; // expect: sync-missing
    cg::this_thread_block().sync();
    to[first + rank] = 0;
}

void launch(const float *in, float *part, float *out, const int *from, int *to, int *back)
{
    sums<<<16, 64>>>(in, part, out);
    turned<<<16, 64>>>(from, to, back);
}
