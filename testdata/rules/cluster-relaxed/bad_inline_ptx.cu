// One thread writes, the block synchronises, and the arrival at the cluster barrier is relaxed.
#include <cstdint>

__device__ inline uint32_t smem(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__global__ void __cluster_dims__(2, 1, 1) share(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ int value;
    uint32_t rank, mapped;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    if (threadIdx.x == 0)
        value = in[blockIdx.x];
    __syncthreads();
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory"); // expect: cluster-relaxed
    asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(mapped) : "r"(smem(&value)), "r"(rank ^ 1));
    int got;
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(got) : "r"(mapped) : "memory");
    out[blockIdx.x * 64 + threadIdx.x] = got;
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}

void run(const int *in, int *out)
{
    share<<<16, 64>>>(in, out);
}
