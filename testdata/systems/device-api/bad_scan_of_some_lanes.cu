// So is a scan.
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

__global__ void places(const int *in, int *out)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    if (in[threadIdx.x] > 0)
        out[threadIdx.x] = cg::exclusive_scan(warp, in[threadIdx.x]); // expect: group-collective-divergent
}

void launch(const int *in, int *out)
{
    places<<<1, 128>>>(in, out);
}
