// The last block has no neighbour and asks for none.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(4, 1, 1) shift(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ int value;
    auto cluster = cg::this_cluster();
    value = in[blockIdx.x];
    cluster.sync();
    const unsigned next = cluster.block_rank() + 1;
    if (next < cluster.num_blocks())
        out[blockIdx.x] = *cluster.map_shared_rank(&value, next);
    cluster.sync();
}

void run(const int *in, int *out)
{
    shift<<<16, 32>>>(in, out);
}
