// All threads of the group arrive and wait once a phase.
#include <cooperative_groups.h>

__global__ void __cluster_dims__(2, 1, 1) some(int *out)
{
    auto cluster = cooperative_groups::this_cluster();
    if (threadIdx.x < 64) {
        auto token = cluster.barrier_arrive();
        out[threadIdx.x] = 1;
        cluster.barrier_wait(std::move(token)); // expect: cluster-divergent
    }
    out[threadIdx.x] += 1;
    cluster.sync();
    out[threadIdx.x] += 2;
}

void launch(int *out)
{
    some<<<2, 128>>>(out);
}
