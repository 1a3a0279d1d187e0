// Two warpgroups multiply by one tile of B and stage their results where B was. Each has waited for
// its own multiplications, and the barrier says that the other one has, too.
#include <cstdint>

constexpr int GROUPS = 2, WARPGROUP = 128, TILE_BYTES = 2048;

__device__ uint64_t descriptor(const void *tile)
{
    uint64_t at = static_cast<uint32_t>(__cvta_generic_to_shared(tile));
    return (at & 0x3ffff) >> 4 | 8ull << 16 | 16ull << 32;
}

__device__ void multiply(float (&d)[4], uint64_t a, uint64_t b)
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, "
                 "1, 1, 1, 0, 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "l"(a), "l"(b));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}

__device__ void load(void *tile, const void *from, uint64_t *full)
{
    uint32_t bar = static_cast<uint32_t>(__cvta_generic_to_shared(full));
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar),
                 "r"(TILE_BYTES)
                 : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], "
                 "%2, [%3];" ::"r"(static_cast<uint32_t>(__cvta_generic_to_shared(tile))),
                 "l"(from), "r"(TILE_BYTES), "r"(bar)
                 : "memory");
}

__device__ void wait(uint64_t *full)
{
    uint32_t bar = static_cast<uint32_t>(__cvta_generic_to_shared(full));
    asm volatile("{\n.reg .pred p;\nW: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n"
                 "@!p bra W;\n}" ::"r"(bar)
                 : "memory");
}

__global__ void __launch_bounds__(GROUPS *WARPGROUP) product(const char *a, const char *b, float *c)
{
    __shared__ alignas(1024) char rows[GROUPS][TILE_BYTES];
    __shared__ alignas(1024) union {
        char operand[TILE_BYTES];
        float staged[GROUPS * WARPGROUP];
    } tile;
    __shared__ uint64_t full;
    int group = threadIdx.x / WARPGROUP;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(
                         static_cast<uint32_t>(__cvta_generic_to_shared(&full))),
                     "r"(GROUPS + 1)
                     : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        load(tile.operand, b + blockIdx.x * TILE_BYTES, &full);
        for (int g = 0; g < GROUPS; ++g)
            load(rows[g], a + g * TILE_BYTES, &full);
    }
    wait(&full);
    float d[4] = {};
    multiply(d, descriptor(rows[group]), descriptor(tile.operand));
    asm volatile("bar.sync 1, 256;" ::: "memory");
    tile.staged[threadIdx.x] = d[0] + d[1] + d[2] + d[3];
    __syncthreads();
    c[blockIdx.x * GROUPS * WARPGROUP + threadIdx.x] =
        tile.staged[GROUPS * WARPGROUP - 1 - threadIdx.x];
}

void launch(const char *a, const char *b, float *c)
{
    product<<<64, GROUPS * WARPGROUP>>>(a, b, c);
}
