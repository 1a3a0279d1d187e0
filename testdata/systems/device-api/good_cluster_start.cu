// The cluster's barrier in two halves: own work between, the peer's memory behind.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) neighbours(const int *in, int *out)
{
    extern __shared__ int line[];
    auto cluster = cg::this_cluster();
    auto block = cg::this_thread_block();
    line[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
    auto token = cluster.barrier_arrive();
    const int own = 3 * in[threadIdx.x];
    int *other = cluster.map_shared_rank(&line[0], (cluster.block_rank() + 1) % cluster.num_blocks());
    cluster.barrier_wait(std::move(token));
    out[blockIdx.x * blockDim.x + threadIdx.x] = own + other[block.num_threads() - 1 - threadIdx.x];
    cluster.sync();
}

void launch(const int *in, int *out)
{
    neighbours<<<8, 128, 128 * sizeof(int)>>>(in, out);
}
