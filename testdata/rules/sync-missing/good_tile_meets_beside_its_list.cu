// Lanes of a tile that shuffle or reduce, and meet beside it. A tile of several warps meets in its
// collectives.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;

__global__ void reversed(const float *in, float *out, float *largest)
{
    __shared__ float piece[256];
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    float *own = piece + tile.meta_group_rank() * 32;
    const int lane = tile.thread_rank(), at = blockIdx.x * 256 + threadIdx.x;
    own[lane] = in[at];
    const float most = cg::reduce(tile, in[at], cg::greater<float>());
    tile.sync();
    out[at] = own[31 - lane];
    if (lane == 0)
        largest[at / 32] = most;
}

__global__ void leader_names_the_place(const int *sizes, int *out, int *total)
{
    __shared__ int place[16];
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    const int lane = tile.thread_rank(), group = threadIdx.x / 16;
    const int at = blockIdx.x * 256 + threadIdx.x;
    int size = sizes[at];
    if (lane == 0)
        place[group] = atomicAdd(total, 16);
    size = tile.shfl(size, 0);
    tile.sync();
    out[place[group] + lane] = size;
}

__global__ void sum_of_two_warps(const float *in, float *out)
{
    __shared__ float piece[256];
    auto tile = cg::tiled_partition<64>(cg::this_thread_block());
    const int at = blockIdx.x * 256 + threadIdx.x;
    piece[threadIdx.x] = in[at];
    const float sum = cg::reduce(tile, in[at], cg::plus<float>());
    out[at] = sum - piece[threadIdx.x ^ 63];
}

void launch(const float *in, float *out, float *largest, const int *sizes, int *places, int *total)
{
    reversed<<<16, 256>>>(in, out, largest);
    leader_names_the_place<<<16, 256>>>(sizes, places, total);
    sum_of_two_warps<<<16, 256>>>(in, out);
}
