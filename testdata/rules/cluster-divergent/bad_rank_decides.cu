#include <cstdint>
#include <cuda_runtime.h>

__device__ void cluster_arrive() { asm volatile("barrier.cluster.arrive.aligned;" ::: "memory"); }
__device__ void cluster_wait() { asm volatile("barrier.cluster.wait.aligned;" ::: "memory"); }
__device__ uint32_t cluster_rank()
{
    uint32_t rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}


__global__ void __cluster_dims__(4, 1, 1) lead(int *data)
{
    if (cluster_rank() != 3) {
        cluster_arrive();
        cluster_wait(); // expect: cluster-divergent
    }
    data[blockIdx.x * 64 + threadIdx.x] = 1;
}

void launch(int *data)
{
    lead<<<8, 64>>>(data);
}
