// The odd rank of a pair only fills its memory, and stays until the even one has read it.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1)
    add_pairs(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float part[128];
    auto pair = cg::this_cluster();
    part[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
    pair.sync();
    if (pair.block_rank() == 1) {
        pair.sync();
        return;
    }
    const float *other = pair.map_shared_rank(part, 1);
    out[blockIdx.x / 2 * 128 + threadIdx.x] = part[threadIdx.x] + other[threadIdx.x];
    pair.sync();
}

void run(const float *in, float *out, int pairs)
{
    add_pairs<<<2 * pairs, 128>>>(in, out);
}
