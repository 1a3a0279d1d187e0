// Each block of a pair brings its half of a tile and tells the barrier of the first block, which
// multiplies for both: in the form for pairs of blocks the barrier that is given says which of a
// pair is told, and not the blocks that the mask names.
#include <cstdint>
#include <cuda.h>
#include <cuda_runtime.h>

constexpr int STAGES = 2, TILES = 6, ROWS = 64, HALF = ROWS * 128;

__device__ uint32_t shared_address(const void *pointer)
{
    return (uint32_t)__cvta_generic_to_shared(pointer);
}

__device__ uint32_t rank_in_cluster()
{
    uint32_t rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

__device__ void wait_for(uint64_t *barrier, uint32_t parity)
{
    asm volatile("{\n"
                 ".reg .pred done;\n"
                 "again: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, [%0], %1;\n"
                 "@!done bra again;\n"
                 "}" ::"r"(shared_address(barrier)),
                 "r"(parity)
                 : "memory");
}

__device__ void load_half(const CUtensorMap *map, void *to, uint64_t *full, int tile, uint32_t rank)
{
    uint32_t of_first;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                 : "=r"(of_first)
                 : "r"(shared_address(full)), "r"(0));
    asm volatile(
        "cp.async.bulk.tensor.2d.cta_group::2.shared::cluster.global.tile"
        ".mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(
            shared_address(to)),
        "l"(map), "r"(0), "r"((2 * tile + (int)rank) * ROWS), "r"(of_first),
        "h"((uint16_t)(1u << rank))
        : "memory");
}

__global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(64)
    multiply(const __grid_constant__ CUtensorMap map, float *out)
{
    __shared__ alignas(128) uint8_t half[STAGES][HALF];
    __shared__ alignas(8) uint64_t full[STAGES], empty[STAGES], done;
    const uint32_t rank = rank_in_cluster();
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; ++s) {
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&full[s]))
                         : "memory");
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&empty[s]))
                         : "memory");
        }
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&done))
                     : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
    if (threadIdx.x == 0) {
        for (int tile = 0; tile < TILES; ++tile) {
            const int s = tile % STAGES;
            if (tile >= STAGES)
                wait_for(&empty[s], (tile / STAGES - 1) % 2);
            load_half(&map, half[s], &full[s], tile, rank);
        }
    } else if (threadIdx.x == 32 && rank == 0) {
        for (int tile = 0; tile < TILES; ++tile) {
            const int s = tile % STAGES;
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                             shared_address(&full[s])),
                         "r"(2 * HALF)
                         : "memory");
            wait_for(&full[s], tile / STAGES % 2);
            asm volatile("tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster"
                         ".multicast::cluster.b64 [%0], %1;" ::"r"(shared_address(&empty[s])),
                         "h"((uint16_t)3)
                         : "memory");
        }
        asm volatile("tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster"
                     ".multicast::cluster.b64 [%0], %1;" ::"r"(shared_address(&done)),
                     "h"((uint16_t)3)
                     : "memory");
    }
    if (threadIdx.x >= 32) {
        wait_for(&done, 0);
        out[blockIdx.x * 32 + threadIdx.x - 32] = (float)half[0][threadIdx.x];
    }
}

void run(void *data, cuuint64_t rows, float *out)
{
    CUtensorMap map;
    cuuint64_t extent[] = {128, rows}, stride[] = {128};
    cuuint32_t box[] = {128, ROWS}, step[] = {1, 1};
    cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_UINT8, 2, data, extent, stride, box, step,
                           CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                           CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    multiply<<<8, 64>>>(map, out);
}
