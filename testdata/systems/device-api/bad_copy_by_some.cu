// The copy is made by all threads of the group.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

__global__ void load(const int *in, int *out)
{
    __shared__ alignas(16) int tile[128];
    auto block = cg::this_thread_block();
    if (threadIdx.x < 64)
        cg::memcpy_async(block, tile, in, sizeof(tile)); // expect: group-collective-divergent
    cg::wait(block);
    out[threadIdx.x] = tile[threadIdx.x];
}

void launch(const int *in, int *out)
{
    load<<<1, 128>>>(in, out);
}
