#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// What the other block is to read is stored when it has been told already.
__global__ void __cluster_dims__(2, 1, 1) trade(const int *in, int *out)
{
    __shared__ int line[64];
    auto pair = cg::this_cluster();
    auto token = pair.barrier_arrive();
    line[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
    pair.barrier_wait(std::move(token));
    const int *other = pair.map_shared_rank(line, pair.block_rank() ^ 1);
    out[blockIdx.x * 64 + threadIdx.x] = other[63 - threadIdx.x]; // expect: sync-missing
    pair.sync();
}

// The same of a counter, by instructions.
__global__ void __cluster_dims__(2, 1, 1) total(const int *in, int *out)
{
    __shared__ int sum;
    auto pair = cg::this_cluster();
    if (threadIdx.x == 0)
        sum = 0;
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    atomicAdd(pair.map_shared_rank(&sum, 0), in[blockIdx.x * 64 + threadIdx.x]);
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
    if (pair.block_rank() == 0 && threadIdx.x == 0)
        out[blockIdx.x / 2] = sum; // expect: sync-missing
    pair.sync();
}

void run(const int *in, int *out)
{
    trade<<<8, 64>>>(in, out);
    total<<<8, 64>>>(in, out);
}
