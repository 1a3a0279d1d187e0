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

// The first block hands tiles out and nobody awaits that the last ones are taken; but at the end
// each block waits for a last word of the other, which comes after all that it did there.
__global__ void __cluster_dims__(2, 1, 1) tiles(int *out, int count)
{
    __shared__ uint64_t given[2], taken[2], last;
    const uint32_t rank = cluster_rank();
    if (threadIdx.x == 0) {
        for (int s = 0; s < 2; ++s) {
            init(&given[s], 1);
            init(&taken[s], 1);
        }
        init(&last, 1);
    }
    cluster_sync();
    if (threadIdx.x == 0) {
        for (int k = 0; k < count; ++k) {
            if (rank == 0) {
                wait(&taken[k % 2], (k / 2 + 1) % 2);
                arrive_at(&given[k % 2], 1);
            } else {
                wait(&given[k % 2], k / 2 % 2);
                out[blockIdx.x * count + k] = k;
                arrive_at(&taken[k % 2], 0);
            }
        }
        arrive_at(&last, rank ^ 1);
        wait(&last, 0);
    }
}

void launch(int *out, int count)
{
    tiles<<<8, 64>>>(out, count);
}
