#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) spread(const int *in, int *out)
{
    __shared__ int count[64];
    auto pair = cg::this_cluster();
    count[threadIdx.x] = 0;
    pair.sync();
    if (pair.block_rank() == 0) {
        int at = in[blockIdx.x * 64 + threadIdx.x];
        atomicAdd(pair.map_shared_rank(count, at & 1) + threadIdx.x, 1);
    }
    pair.sync();
    out[blockIdx.x * 64 + threadIdx.x] = count[threadIdx.x];
}

void run(const int *in, int *out)
{
    spread<<<8, 64>>>(in, out);
}
