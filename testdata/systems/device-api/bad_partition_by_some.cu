// Making a partition is collective too.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void halves(const int *in, int *out)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    if (warp.thread_rank() < 16) {
        auto half = cg::binary_partition(warp, in[threadIdx.x] > 0); // expect: group-collective-divergent
        out[threadIdx.x] = half.num_threads();
    }
}

void launch(const int *in, int *out)
{
    halves<<<1, 128>>>(in, out);
}
