#include <cooperative_groups.h>
namespace cg = cooperative_groups;


__device__ void exchange(const cg::cluster_group &cluster, int *data)
{
    data[threadIdx.x] += 1;
    cluster.sync(); // expect: cluster-pairing
}

__global__ void __cluster_dims__(2, 1, 1) split(int *data)
{
    auto cluster = cg::this_cluster();
    auto token = cluster.barrier_arrive();
    exchange(cluster, data);
    cluster.barrier_wait(static_cast<decltype(token) &&>(token)); // expect: cluster-pairing
}

void launch(int *data)
{
    split<<<8, 128>>>(data);
}
