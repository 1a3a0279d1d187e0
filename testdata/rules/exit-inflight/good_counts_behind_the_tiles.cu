// Tiles and the numbers of rows lie in one piece of memory, one behind the other. Both roles go by
// the same number, which no copy of a tile reaches, however long it is.
#include <cstdint>
#include <cuda.h>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int TILE = 8192;

__device__ void wait_for(uint64_t *barrier, uint32_t parity)
{
    while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
    }
}

__global__ void __launch_bounds__(384) rows(const __grid_constant__ CUtensorMap map, float *out,
                                            const int *counts, int groups)
{
    extern __shared__ __align__(1024) char memory[];
    float *tile = reinterpret_cast<float *>(memory);
    int *count = reinterpret_cast<int *>(memory + 2 * TILE * sizeof(float));
    __shared__ uint64_t full[2], empty[2];
    if (threadIdx.x < 2) {
        ptx::mbarrier_init(&full[threadIdx.x], 1);
        ptx::mbarrier_init(&empty[threadIdx.x], 256);
    }
    for (int i = threadIdx.x; i < groups; i += 384)
        count[i] = counts[i];
    __syncthreads();
    int stage = 0, phase = 0;
    if (threadIdx.x >= 256) {
        for (int row = blockIdx.x; threadIdx.x == 256 && row < count[0]; row += gridDim.x) {
            wait_for(&empty[stage], phase ^ 1);
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                           &full[stage], TILE * sizeof(float));
            const int at[2] = {row, 0};
            ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile + stage * TILE,
                                      &map, at, &full[stage]);
            phase ^= stage;
            stage ^= 1;
        }
    } else {
        for (int row = blockIdx.x; row < count[0]; row += gridDim.x) {
            wait_for(&full[stage], phase);
            out[row * 256 + threadIdx.x] = tile[stage * TILE + threadIdx.x];
            ptx::mbarrier_arrive(&empty[stage]);
            phase ^= stage;
            stage ^= 1;
        }
    }
}

void run(const CUtensorMap &map, float *out, const int *counts, int groups)
{
    const int bytes = 2 * TILE * sizeof(float) + groups * sizeof(int);
    cudaFuncSetAttribute(rows, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    rows<<<132, 384, bytes>>>(map, out, counts, groups);
}
