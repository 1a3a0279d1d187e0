// The consumers leave one product running and give back the tile of the one before: that product is
// over when the wait has passed.
#include <cstdint>

enum { STAGES = 3, TILE = 2048, CONSUMERS = 128 }; // bytes, threads

__device__ inline uint32_t smem(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__device__ inline void init(uint64_t *bar, uint32_t count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(smem(bar)), "r"(count)
                 : "memory");
}

__device__ inline void arrive(uint64_t *bar)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(smem(bar)) : "memory");
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

__device__ inline void fill(void *to, const void *from, uint64_t *bar)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(smem(bar)),
                 "r"(uint32_t(TILE))
                 : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1], %2, [%3];"
                 ::"r"(smem(to)), "l"(from), "r"(uint32_t(TILE)), "r"(smem(bar))
                 : "memory");
}

__device__ inline uint64_t descriptor(const void *tile)
{
    return (uint64_t(smem(tile)) >> 4 & 0x3fff) | uint64_t(8) << 16 | uint64_t(16) << 32;
}

template <int running> __device__ inline void wait_for_products()
{
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(running) : "memory");
}

__global__ void __launch_bounds__(CONSUMERS + 32)
    squares(const char *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ alignas(1024) char tile[STAGES][TILE];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; ++s) {
            init(&full[s], 1);
            init(&empty[s], CONSUMERS);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if (threadIdx.x >= CONSUMERS) {
        for (int t = 0; threadIdx.x == CONSUMERS && t < tiles; ++t) {
            wait(&empty[t % STAGES], ~(t / STAGES) & 1);
            fill(tile[t % STAGES], in + t * TILE, &full[t % STAGES]);
        }
        return;
    }
    float sum[4] = {};
    for (int t = 0; t < tiles; ++t) {
        wait(&full[t % STAGES], t / STAGES & 1);
        const uint64_t it = descriptor(tile[t % STAGES]);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
        asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
                     "{%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
                     : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                     : "l"(it), "l"(it));
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        wait_for_products<1>();
        if (t > 0)
            arrive(&empty[(t - 1) % STAGES]);
    }
    wait_for_products<0>();
    for (int i = 0; i < 4; ++i)
        out[i * CONSUMERS + threadIdx.x] = sum[i];
}

void run(const char *in, float *out, int tiles)
{
    squares<<<1, CONSUMERS + 32>>>(in, out, tiles);
}
