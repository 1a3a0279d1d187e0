#include <cooperative_groups.h>
namespace cg = cooperative_groups;


__global__ void __cluster_dims__(2, 1, 1) split(int *data)
{
    auto cluster = cg::this_cluster();
    for (int i = 0; i < 3; ++i) {
        auto token = cluster.barrier_arrive();
        data[threadIdx.x] += 1;
        cluster.barrier_wait(static_cast<decltype(token) &&>(token));
    }
    cluster.sync();
}

void launch(int *data)
{
    split<<<8, 128>>>(data);
}
