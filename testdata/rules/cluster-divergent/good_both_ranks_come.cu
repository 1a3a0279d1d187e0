#include <cooperative_groups.h>
namespace cg = cooperative_groups;


__global__ void __cluster_dims__(2, 1, 1) pairs(int *data)
{
    auto cluster = cg::this_cluster();
    if (cluster.block_rank() == 0) {
        data[0] = 1;
        cluster.sync();
    } else {
        cluster.sync();
        data[1] = 2;
    }
}

void launch(int *data)
{
    pairs<<<8, 64>>>(data);
}
