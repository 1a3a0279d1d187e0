// The right neighbour of the last block is nobody.
#include <cstdint>

__device__ inline uint32_t smem(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__global__ void __cluster_dims__(4, 1, 1) shift(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ int value;
    uint32_t rank, mapped;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    if (threadIdx.x == 0)
        value = in[blockIdx.x];
    asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" // expect: launch-cluster
                 : "=r"(mapped)
                 : "r"(smem(&value)), "r"(rank + 1));
    int got;
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(got) : "r"(mapped) : "memory");
    out[blockIdx.x * 32 + threadIdx.x] = got;
    asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
}

void run(const int *in, int *out)
{
    shift<<<16, 32>>>(in, out);
}
