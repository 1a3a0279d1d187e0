__device__ unsigned rank_in_cluster()
{
    unsigned rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}
__device__ void arrive() { asm volatile("barrier.cluster.arrive.aligned;" ::: "memory"); }
__device__ void wait() { asm volatile("barrier.cluster.wait.aligned;" ::: "memory"); }

#include <cooperative_groups.h>

__global__ void __cluster_dims__(2, 1, 1) swap(const int *in, int *out)
{
    __shared__ int line[64];
    line[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
    arrive();
    wait();
    const int *other =
        cooperative_groups::this_cluster().map_shared_rank(line, rank_in_cluster() ^ 1);
    out[blockIdx.x * 64 + threadIdx.x] = other[threadIdx.x]; // expect: cluster-exit
    arrive();
}

void run(const int *in, int *out)
{
    swap<<<8, 64>>>(in, out);
}
