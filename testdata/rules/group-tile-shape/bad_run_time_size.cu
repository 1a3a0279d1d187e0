// Twenty-four lanes are no tile.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ int lanes_of_a_row(int columns)
{
    return columns / 4;
}

__global__ void rows(const float *__restrict__ in, float *__restrict__ out)
{
    auto row = cg::tiled_partition(cg::this_thread_block(), lanes_of_a_row(96)); // expect: group-tile-shape
    out[threadIdx.x] = in[threadIdx.x];
    row.sync();
    out[threadIdx.x + 96] = out[threadIdx.x];
}

void run(const float *in, float *out)
{
    rows<<<1, 96>>>(in, out);
}
