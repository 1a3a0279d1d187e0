// What an asynchronous reduction stores is there once the group has synchronised.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void sums(const int *in, int *out)
{
    __shared__ int total[4];
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    cg::reduce_store_async(tile, &total[tile.meta_group_rank()], in[threadIdx.x], cg::plus<int>());
    out[threadIdx.x] = total[tile.meta_group_rank()]; // expect: sync-missing
}

void launch(const int *in, int *out)
{
    sums<<<1, 128>>>(in, out);
}
