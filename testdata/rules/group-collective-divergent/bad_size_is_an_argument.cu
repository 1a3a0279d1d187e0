// The size of the tiles is an argument; the first lane of each warp stays away, in one kernel from
// the tile itself, in the other from a function that is handed it.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void by_itself(int *data)
{
    auto part = cg::tiled_partition(cg::this_thread_block(), 8);
    data[threadIdx.x] += 1;
    if (threadIdx.x % 32 != 0)
        part.sync(); // expect: group-collective-divergent
    data[threadIdx.x] += data[threadIdx.x ^ 1];
}

__device__ void exchange(const cg::thread_group &group, int *data)
{
    group.sync(); // expect: group-collective-divergent
    data[threadIdx.x] += data[threadIdx.x ^ 1];
}

__global__ void handed_over(int *data)
{
    cg::thread_group tile = cg::tiled_partition(cg::this_thread_block(), 32);
    data[threadIdx.x] += 1;
    if (threadIdx.x % 32 != 0)
        exchange(tile, data);
}

void run(int *data)
{
    by_itself<<<1, 64>>>(data);
    handed_over<<<1, 64>>>(data);
}
