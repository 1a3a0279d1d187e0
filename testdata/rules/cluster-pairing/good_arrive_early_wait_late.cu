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


__global__ void __cluster_dims__(2, 1, 1) early(int *data)
{
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
    data[threadIdx.x] = cluster_rank();
    auto wait = [] { cluster_wait(); };
    if (threadIdx.x < 32) {
        wait();
        data[threadIdx.x] += 1;
    } else {
        wait();
    }
    cluster_arrive();
    cluster_wait();
}

void launch(int *data)
{
    early<<<8, 128>>>(data);
}
