// The first warpgroup alone waits for the tile, and the second warpgroup multiplies what may not be there.
#include <cstdint>

enum { STAGES = 2, TILE = 2048 }; // bytes

__device__ inline uint32_t smem(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__device__ inline void fill(void *to, const void *from, uint64_t *bar)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(smem(bar)),
                 "r"(uint32_t(TILE))
                 : "memory");
    asm volatile("cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1], %2, [%3];"
                 ::"r"(smem(to)), "l"(from), "r"(uint32_t(TILE)), "r"(smem(bar))
                 : "memory");
}

__device__ inline void wait(uint64_t *bar, uint32_t parity)
{
    uint32_t done = 0;
    while (!done)
        asm volatile("{\n"
                     ".reg .pred p;\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                     "selp.u32 %0, 1, 0, p;\n"
                     "}"
                     : "=r"(done)
                     : "r"(smem(bar)), "r"(parity)
                     : "memory");
}

__device__ inline uint64_t descriptor(const void *tile)
{
    return (uint64_t(smem(tile)) >> 4 & 0x3fff) | uint64_t(8) << 16 | uint64_t(16) << 32;
}

__global__ void __launch_bounds__(256) sums(const char *__restrict__ in, float *__restrict__ out,
                                            int tiles)
{
    __shared__ alignas(128) char tile[STAGES][TILE];
    __shared__ uint64_t full[STAGES];
    float sum[4] = {};
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; ++s)
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(smem(&full[s])) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if (threadIdx.x == 0 && tiles > 0)
        fill(tile[0], in, &full[0]);
    for (int t = 0; t < tiles; ++t) {
        const int stage = t % STAGES;
        if (threadIdx.x == 0 && t + 1 < tiles)
            fill(tile[1 - stage], in + (t + 1) * TILE, &full[1 - stage]);
        if (threadIdx.x < 128)
            wait(&full[stage], t / STAGES % 2);
        const uint64_t it = descriptor(tile[stage]);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
        asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 " // expect: tx-read-early
                     "{%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
                     : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                     : "l"(it), "l"(it + (threadIdx.x / 128 * 1024 >> 4)));
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i)
        out[i * 256 + threadIdx.x] = sum[i];
}

void run(const char *in, float *out, int tiles)
{
    sums<<<1, 256>>>(in, out, tiles);
}
