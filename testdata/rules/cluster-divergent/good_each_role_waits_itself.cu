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


__global__ void __cluster_dims__(2, 1, 1) roles(int *data, int tiles)
{
    cluster_arrive();
    if (threadIdx.x < 32) {
        data[threadIdx.x] = tiles;
        cluster_wait();
    } else {
        cluster_wait();
        data[threadIdx.x] = cluster_rank();
    }
    if (tiles > 4) {
        cluster_arrive();
        cluster_wait();
    }
}

void launch(int *data, int tiles)
{
    roles<<<8, 128>>>(data, tiles);
}
