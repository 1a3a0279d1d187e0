// A cluster of two by two blocks: the two blocks of a row share a piece of a, those of a column one
// of b. Each block loads half of what it shares and names the other block in its mask.
#include <cstdint>

__device__ inline uint32_t smem(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}
__device__ inline void load_shared(void *to, const float *from, uint32_t bytes, uint64_t *bar,
                                   uint16_t blocks)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                 ".multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(smem(to)),
                 "l"(from), "r"(bytes), "r"(smem(bar)), "h"(blocks)
                 : "memory");
}
__device__ inline void cluster_sync()
{
    asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
}

__global__ void __cluster_dims__(4, 1, 1) product(const float *a, const float *b, float *out)
{
    __shared__ alignas(128) float left[256], right[256];
    __shared__ uint64_t ready;
    const uint32_t rank = blockIdx.x % 4, x = rank % 2, y = rank / 2;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(smem(&ready)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    cluster_sync();
    if (threadIdx.x == 0) {
        const uint16_t row = 3 << (y * 2), column = 5 << x;
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(smem(&ready)),
                     "r"(2048)
                     : "memory");
        load_shared(left + x * 128, a + y * 256 + x * 128, 512, &ready, row);
        load_shared(right + y * 128, b + x * 256 + y * 128, 512, &ready, column);
    }
    asm volatile("{\n.reg .pred done;\nagain:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0;\n"
                 "@!done bra again;\n}\n" ::"r"(smem(&ready))
                 : "memory");
    out[blockIdx.x * 256 + threadIdx.x] = left[threadIdx.x] * right[255 - threadIdx.x];
    cluster_sync();
}

void run(const float *a, const float *b, float *out)
{
    product<<<8, 256>>>(a, b, out);
}
