// A tile of a whole warp votes which of its lanes have something to store, these store it side by side,
// and the tile meets before its lanes read the list.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;

__global__ void negatives(const float *in, int *out, int *count, int size)
{
    __shared__ int list[256];
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    int *own = list + tile.meta_group_rank() * 32;
    for (int base = blockIdx.x * 256; base < size; base += gridDim.x * 256) {
        const int at = base + threadIdx.x;
        const bool wanted = at < size && in[at] < 0.0f;
        const unsigned votes = tile.ballot(wanted);
        if (wanted)
            own[__popc(votes & ((1u << tile.thread_rank()) - 1))] = at;
        int first = 0;
        if (tile.thread_rank() == 0)
            first = atomicAdd(count, __popc(votes));
        first = tile.shfl(first, 0);
        tile.sync();
        if (tile.thread_rank() < __popc(votes))
            out[first + tile.thread_rank()] = own[tile.thread_rank()];
        tile.sync();
    }
}

void launch(const float *in, int *out, int *count, int size)
{
    negatives<<<64, 256>>>(in, out, count, size);
}
