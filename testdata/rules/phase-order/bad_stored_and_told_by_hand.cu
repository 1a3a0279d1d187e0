// Store and arrival by inline assembly, for whichever block is next.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__device__ inline uint32_t smem(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}
__device__ inline uint32_t map(uint32_t address, uint32_t rank)
{
    uint32_t mapped;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(mapped) : "r"(address), "r"(rank));
    return mapped;
}

__global__ void __cluster_dims__(4, 1, 1) shift(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ uint64_t told;
    __shared__ int box[32];
    uint32_t rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&told, 32);
    asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
    const uint32_t next = (rank + 1) % 4;
    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(map(smem(&box[threadIdx.x]), next)),
                 "r"(in[blockIdx.x * 32 + threadIdx.x])
                 : "memory");
    asm volatile("mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%0];" ::"r"( // expect: phase-order
                     map(smem(&told), next))
                 : "memory");
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &told, 0)) {
    }
    out[blockIdx.x * 32 + threadIdx.x] = box[31 - threadIdx.x];
    asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
}

void run(const int *in, int *out)
{
    shift<<<16, 32>>>(in, out);
}
