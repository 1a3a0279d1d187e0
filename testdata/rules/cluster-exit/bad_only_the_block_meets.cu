#include <cooperative_groups.h>
namespace cg = cooperative_groups;


__global__ void __cluster_dims__(2, 1, 1) hand_over(int *out)
{
    __shared__ int box;
    auto cluster = cg::this_cluster();
    cluster.sync();
    if (cluster.block_rank() == 1 && threadIdx.x == 0)
        *cluster.map_shared_rank(&box, 0) = 1; // expect: cluster-exit
    __syncthreads();
    out[blockIdx.x] = threadIdx.x;
}

void launch(int *out)
{
    hand_over<<<8, 64>>>(out);
}
