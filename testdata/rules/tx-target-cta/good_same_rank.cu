#include <cstdint>

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
__device__ inline uint32_t rank()
{
    uint32_t r;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
    return r;
}

__global__ void __cluster_dims__(4, 1, 1) shift(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ alignas(8) int received;
    __shared__ alignas(8) uint64_t full;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(smem(&full)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 4;" ::"r"(smem(&full))
                     : "memory");
    }
    asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
    if (threadIdx.x == 0) {
        const uint32_t next = (rank() + 1) % 4;
        asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];"
                     ::"r"(map(smem(&received), next)),
                     "r"(in[blockIdx.x]), "r"(map(smem(&full), next))
                     : "memory");
    }
    asm volatile("{\n"
                 ".reg .pred done;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, [%0], 0;\n"
                 "@!done bra again;\n"
                 "}" ::"r"(smem(&full))
                 : "memory");
    if (threadIdx.x == 0)
        out[blockIdx.x] = received;
    asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
}

void run(const int *in, int *out)
{
    shift<<<16, 32>>>(in, out);
}
