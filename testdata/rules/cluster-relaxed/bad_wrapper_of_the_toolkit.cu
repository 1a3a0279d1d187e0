// The runtime's own function, wrapped with its wait; used for every round of an exchange.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

struct ClusterBarrier {
    __device__ static void sync()
    {
        __cluster_barrier_arrive_relaxed(); // expect: cluster-relaxed
        __cluster_barrier_wait();
    }
};

__global__ void __cluster_dims__(2, 1, 1) relax(const float *__restrict__ in,
                                                float *__restrict__ out, int rounds)
{
    __shared__ float line[128];
    auto cluster = cg::this_cluster();
    float *peer = cluster.map_shared_rank(line, cluster.block_rank() ^ 1);
    float value = in[blockIdx.x * 128 + threadIdx.x];
    for (int round = 0; round < rounds; ++round) {
        line[threadIdx.x] = value;
        ClusterBarrier::sync();
        value = 0.5f * (value + peer[threadIdx.x]);
        cluster.sync();
    }
    out[blockIdx.x * 128 + threadIdx.x] = value;
}

void run(const float *in, float *out, int rounds)
{
    relax<<<16, 128>>>(in, out, rounds);
}
