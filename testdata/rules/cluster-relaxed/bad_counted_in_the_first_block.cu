// All blocks count in the memory of the first one. In one kernel the zeros that the bins begin with
// are not released, in the other the sum.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ __forceinline__ void cluster_arrive_relaxed()
{
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
}

__device__ __forceinline__ void cluster_wait()
{
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

__global__ void __cluster_dims__(2, 1, 1)
    count_values(const int *__restrict__ values, int *__restrict__ counts)
{
    __shared__ int bin[32];
    auto cluster = cg::this_cluster();
    if (threadIdx.x < 32)
        bin[threadIdx.x] = 0;
    cluster_arrive_relaxed(); // expect: cluster-relaxed
    cluster_wait();
    atomicAdd(cluster.map_shared_rank(bin, 0) + (values[blockIdx.x * 128 + threadIdx.x] & 31), 1);
    cluster.sync();
    if (cluster.block_rank() == 0 && threadIdx.x < 32)
        counts[blockIdx.x / 2 * 32 + threadIdx.x] = bin[threadIdx.x];
}

__global__ void __cluster_dims__(2, 1, 1)
    add_values(const int *__restrict__ values, int *__restrict__ sums)
{
    __shared__ int sum;
    auto cluster = cg::this_cluster();
    if (threadIdx.x == 0)
        sum = 0;
    cluster.sync();
    atomicAdd(cluster.map_shared_rank(&sum, 0), values[blockIdx.x * 128 + threadIdx.x]);
    cluster_arrive_relaxed(); // expect: cluster-relaxed
    cluster_wait();
    if (cluster.block_rank() == 0 && threadIdx.x == 0)
        sums[blockIdx.x / 2] = sum;
}

void run(const int *values, int *counts, int *sums)
{
    count_values<<<8, 128>>>(values, counts);
    add_values<<<8, 128>>>(values, sums);
}
