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


__global__ void __cluster_dims__(2, 1, 1) steps(int *data, int rounds)
{
    for (int i = 0; i < 4; ++i) {
        data[threadIdx.x] += i;
        cluster_arrive(); // expect: cluster-pairing
    }
    cluster_wait();
}

void launch(int *data, int rounds)
{
    steps<<<8, 128>>>(data, rounds);
}
