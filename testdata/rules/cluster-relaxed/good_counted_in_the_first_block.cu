// All blocks count into bins of the first one; each arrival releases what was stored before, zeros
// and counts. A last one orders nothing, as nothing is stored behind the counts.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ __forceinline__ void cluster_arrive_release()
{
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
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
    cluster_arrive_release();
    cluster_wait();
    atomicAdd(cluster.map_shared_rank(bin, 0) + (values[blockIdx.x * 128 + threadIdx.x] & 31), 1);
    cluster_arrive_release();
    cluster_wait();
    if (cluster.block_rank() == 0 && threadIdx.x < 32)
        counts[blockIdx.x / 2 * 32 + threadIdx.x] = bin[threadIdx.x];
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
    cluster_wait();
}

void run(const int *values, int *counts)
{
    count_values<<<8, 128>>>(values, counts);
}
