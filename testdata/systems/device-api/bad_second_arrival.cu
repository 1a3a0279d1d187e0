// Nor a second arrival.
#include <cooperative_groups.h>

__global__ void __cluster_dims__(2, 1, 1) halves(int *out)
{
    auto cluster = cooperative_groups::this_cluster();
    auto first = cluster.barrier_arrive();
    out[threadIdx.x] = 1;
    auto second = cluster.barrier_arrive(); // expect: cluster-pairing
    cluster.barrier_wait(std::move(first));
    cluster.barrier_wait(std::move(second)); // expect: cluster-pairing
}

void launch(int *out)
{
    halves<<<2, 128>>>(out);
}
