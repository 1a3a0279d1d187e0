// A token is consumed by the wait.
#include <cooperative_groups.h>
#include <utility>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) twice(float *cell)
{
    auto cluster = cg::this_cluster();
    cell[threadIdx.x] += 1;
    auto token = cluster.barrier_arrive();
    cluster.barrier_wait(std::move(token));
    cluster.barrier_wait(std::move(token)); // expect: cluster-pairing
}

void launch(float *cell)
{
    twice<<<2, 128>>>(cell);
}
