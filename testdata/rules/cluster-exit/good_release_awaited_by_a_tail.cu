#include <cstdint>
#include <cuda_runtime.h>

__device__ uint32_t address_of(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ void init(uint64_t *bar, uint32_t count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address_of(bar)), "r"(count));
}
__device__ void arrive_at(uint64_t *bar, uint32_t rank)
{
    asm volatile("{\n\t.reg .b32 far;\n\tmapa.shared::cluster.u32 far, %0, %1;\n\t"
                 "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [far];\n\t}" ::"r"(
                     address_of(bar)),
                 "r"(rank)
                 : "memory");
}
__device__ void wait(uint64_t *bar, uint32_t parity)
{
    asm volatile("{\n\t.reg .pred done;\n\tAGAIN:\n\t"
                 "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, [%0], %1;\n\t"
                 "@!done bra AGAIN;\n\t}" ::"r"(address_of(bar)),
                 "r"(parity)
                 : "memory");
}
__device__ void cluster_sync()
{
    asm volatile("fence.mbarrier_init.release.cluster;\n\tbarrier.cluster.arrive.aligned;\n\t"
                 "barrier.cluster.wait.aligned;" ::: "memory");
}
__device__ uint32_t cluster_rank()
{
    uint32_t rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}


__global__ void __cluster_dims__(2, 1, 1) hand_over(float *out)
{
    __shared__ uint64_t full, empty;
    if (threadIdx.x == 0) {
        init(&full, 1);
        init(&empty, 1);
    }
    cluster_sync();
    if (cluster_rank() == 0 && threadIdx.x == 0) {
        for (int t = 0; t < 4; ++t) {
            wait(&empty, (t & 1) ^ 1);
            arrive_at(&full, 1);
        }
        wait(&empty, 1);
    } else if (cluster_rank() == 1 && threadIdx.x == 0) {
        for (int t = 0; t < 4; ++t) {
            wait(&full, t & 1);
            out[t] = t;
            arrive_at(&empty, 0);
        }
    }
}

void launch(float *out)
{
    hand_over<<<8, 64>>>(out);
}
