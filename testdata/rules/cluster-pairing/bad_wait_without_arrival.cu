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


__global__ void __cluster_dims__(2, 1, 1) step(int *data)
{
    data[threadIdx.x] = cluster_rank();
    cluster_wait(); // expect: cluster-pairing
    data[threadIdx.x] += 1;
}

void launch(int *data)
{
    step<<<8, 128>>>(data);
}
