// The tiles of a block are listed in shared memory, behind the buffers that tensor copies fill. Both
// roles read the list as they go, between copies: it says the same to both.
#include <cstdint>
#include <cuda.h>
#include <cuda_runtime.h>

constexpr int STAGES = 3, TILE = 64 * 64, TILES = 128;

struct Shared {
    alignas(128) float buffer[STAGES][TILE];
    alignas(8) uint64_t full[STAGES], empty[STAGES];
    int list[TILES];
};

__device__ unsigned shared_address(const void *p)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

__device__ void wait(uint64_t *gate, int parity)
{
    asm volatile("{\n"
                 ".reg .pred done;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                 "@!done bra again;\n"
                 "}\n" ::"r"(shared_address(gate)),
                 "r"(parity)
                 : "memory");
}

__global__ void __launch_bounds__(256)
    smooth(const __grid_constant__ CUtensorMap map, const int *lists, float *out)
{
    extern __shared__ __align__(128) unsigned char memory[];
    Shared &shared = *reinterpret_cast<Shared *>(memory);
    if (threadIdx.x < TILES)
        shared.list[threadIdx.x] = lists[blockIdx.x * TILES + threadIdx.x];
    if (threadIdx.x == 0) {
        for (int i = 0; i < STAGES; ++i) {
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(
                             shared_address(&shared.full[i]))
                         : "memory");
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 128;" ::"r"(
                             shared_address(&shared.empty[i]))
                         : "memory");
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    int stage = 0, parity = 0;
    if (threadIdx.x >= 128) {
        if (threadIdx.x != 128)
            return;
        for (int i = 0; i < TILES && shared.list[i] != -1; ++i) {
            wait(&shared.empty[stage], parity ^ 1);
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                             shared_address(&shared.full[stage])),
                         "r"(TILE * 4)
                         : "memory");
            asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx"
                         "::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
                             shared_address(shared.buffer[stage])),
                         "l"(&map), "r"(shared.list[i] & 0xffff), "r"(shared.list[i] >> 16),
                         "r"(shared_address(&shared.full[stage]))
                         : "memory");
            if (++stage == STAGES) {
                stage = 0;
                parity ^= 1;
            }
        }
    } else {
        float sum = 0;
        for (int i = 0; i < TILES && shared.list[i] != -1; ++i) {
            wait(&shared.full[stage], parity);
            sum += shared.buffer[stage][threadIdx.x];
            asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(
                             shared_address(&shared.empty[stage]))
                         : "memory");
            if (++stage == STAGES) {
                stage = 0;
                parity ^= 1;
            }
        }
        out[blockIdx.x * 128 + threadIdx.x] = sum;
    }
}

void run(const CUtensorMap &map, const int *lists, float *out)
{
    cudaFuncSetAttribute(smooth, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Shared));
    smooth<<<64, 256, sizeof(Shared)>>>(map, lists, out);
}
