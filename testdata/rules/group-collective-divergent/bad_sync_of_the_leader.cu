#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;


__global__ void boxes(int *data)
{
    __shared__ int box[4];
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    if (tile.thread_rank() == 0) {
        box[tile.meta_group_rank()] = data[threadIdx.x];
        tile.sync(); // expect: group-collective-divergent
    }
    data[threadIdx.x] = box[tile.meta_group_rank()];
}

void launch(int *data)
{
    boxes<<<1, 64>>>(data);
}
