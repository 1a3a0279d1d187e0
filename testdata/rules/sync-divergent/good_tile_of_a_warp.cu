// sync() of a tile and of a coalesced group concerns their own threads; the helper is written for
// any group.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

template <typename Group>
__device__ int sum_of(const Group &group, int *line, int value)
{
    line[group.thread_rank()] = value;
    group.sync();
    int sum = 0;
    for (int i = 0; i < group.size(); ++i)
        sum += line[i];
    group.sync();
    return sum;
}

__global__ void totals(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ int line[128];
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<16>(block);
    int *mine = &line[tile.meta_group_rank() * 16];
    if (tile.meta_group_rank() % 2 == 0)
        out[block.thread_rank()] = sum_of(tile, mine, in[block.thread_rank()]);
    else
        tile.sync();
    const int all = sum_of(block, line, in[block.thread_rank()]);
    out[128 + block.thread_rank()] = all;
}

void run(const int *in, int *out)
{
    totals<<<1, 128>>>(in, out);
}
