// The maps come from elsewhere; each block of a pair loads half of what both read, and announces
// that alone.
#include <cuda.h>
#include <cstdint>

constexpr int tall = 128, wide = 64, deep = 64, stages = 4;

struct tiles {
    alignas(1024) unsigned short left[stages][tall * deep];
    alignas(1024) unsigned short right[stages][wide * deep];
    uint64_t full[stages], empty[stages];
};

__device__ uint32_t at(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__device__ void make(uint64_t *bar, int count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(bar)), "r"(count) : "memory");
}

__device__ void expect(uint64_t *bar, uint32_t bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(bar)), "r"(bytes)
                 : "memory");
}

__device__ void wait(uint64_t *bar, uint32_t parity)
{
    asm volatile("{\n\t"
                 ".reg .pred done;\n\t"
                 "again%=: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n\t"
                 "@!done bra again%=;\n\t"
                 "}" ::"r"(at(bar)),
                 "r"(parity)
                 : "memory");
}

__device__ void arrive_at(uint64_t *bar, unsigned rank)
{
    asm volatile("{\n\t"
                 ".reg .b32 there;\n\t"
                 "mapa.shared::cluster.u32 there, %0, %1;\n\t"
                 "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there];\n\t"
                 "}" ::"r"(at(bar)),
                 "r"(rank)
                 : "memory");
}

__device__ void load_for_both(void *to, const CUtensorMap *map, uint64_t *bar, int column, int row)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
                 ".multicast::cluster [%0], [%1, {%3, %4}], [%2], %5;" ::"r"(at(to)),
                 "l"(map), "r"(at(bar)), "r"(column), "r"(row), "h"(static_cast<unsigned short>(3))
                 : "memory");
}

__device__ void meet()
{
    asm volatile("barrier.cluster.arrive.release.aligned;\n\t"
                 "barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

__device__ void load(void *to, const CUtensorMap *map, uint64_t *bar, int column, int row)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%3, %4}], [%2];" ::"r"(at(to)),
                 "l"(map), "r"(at(bar)), "r"(column), "r"(row)
                 : "memory");
}

__global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(160)
    sums(const __grid_constant__ CUtensorMap left, const __grid_constant__ CUtensorMap right,
         unsigned *out, int steps)
{
    extern __shared__ __align__(1024) unsigned char raw[];
    tiles &tile = *reinterpret_cast<tiles *>(raw);
    unsigned rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    if (threadIdx.x == 0) {
        for (int i = 0; i < stages; ++i) {
            make(&tile.full[i], 1);
            make(&tile.empty[i], 2 * 128);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    meet();
    if (threadIdx.x == 128) {
        for (int step = 0; step < steps; ++step) {
            const int stage = step % stages;
            wait(&tile.empty[stage], (step / stages & 1) ^ 1);
            expect(&tile.full[stage], // expect: tx-bytes
                   (tall + wide / 2) * deep * sizeof(unsigned short));
            load(tile.left[stage], &left, &tile.full[stage], step * deep, blockIdx.x * tall);
            load_for_both(tile.right[stage] + rank * wide / 2 * deep, &right, &tile.full[stage],
                          step * deep, blockIdx.y * wide + rank * wide / 2);
        }
    } else if (threadIdx.x < 128) {
        unsigned sum = 0;
        for (int step = 0; step < steps; ++step) {
            const int stage = step % stages;
            wait(&tile.full[stage], step / stages & 1);
            sum += tile.left[stage][threadIdx.x] + tile.right[stage][threadIdx.x];
            arrive_at(&tile.empty[stage], 0);
            arrive_at(&tile.empty[stage], 1);
        }
        out[(blockIdx.y * gridDim.x + blockIdx.x) * 128 + threadIdx.x] = sum;
    }
    meet();
}

void run(const CUtensorMap &left, const CUtensorMap &right, unsigned *out, int steps)
{
    cudaFuncSetAttribute(sums, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(tiles));
    sums<<<dim3(32, 64), 160, sizeof(tiles)>>>(left, right, out, steps);
}
