// A stage is multiplied row by row, in loops of some thousand rounds, before one lane of each warp
// gives it back to a barrier that counts threads: the producer waits for ever once the ring is full.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int rows = 32, deep = 128, stages = 4, readers = 128;

struct ring {
    alignas(128) signed char left[stages][readers * deep];
    alignas(128) signed char right[stages][rows * deep];
    uint64_t full[stages], empty[stages];
};

__device__ void await(uint64_t *bar, uint32_t parity)
{
    while (!ptx::mbarrier_try_wait_parity(bar, parity)) {
    }
}

__device__ bool next_tile(int &tile, int tiles)
{
    tile += gridDim.x;
    return tile < tiles;
}

__global__ void __launch_bounds__(readers + 32)
    multiply(const signed char *left, const signed char *right, int *out, int tiles, int width)
{
    extern __shared__ __align__(128) unsigned char raw[];
    ring &ring_ = *reinterpret_cast<ring *>(raw);
    if (threadIdx.x == 0) {
        for (int i = 0; i < stages; ++i) {
            ptx::mbarrier_init(&ring_.full[i], 1);
            ptx::mbarrier_init(&ring_.empty[i], readers);
        }
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    const int steps = (width + deep - 1) / deep;
    int tile = static_cast<int>(blockIdx.x) - static_cast<int>(gridDim.x), stage = 0;
    uint32_t parity = 0;
    auto next_stage = [&] {
        stage = stage + 1 == stages ? 0 : stage + 1;
        parity ^= stage == 0;
    };
    if (threadIdx.x == readers) {
        while (next_tile(tile, tiles)) {
            for (int step = 0; step < steps; ++step, next_stage()) {
                await(&ring_.empty[stage], parity ^ 1);
                ptx::mbarrier_arrive_expect_tx(
                    ptx::sem_release, ptx::scope_cta, ptx::space_shared, &ring_.full[stage],
                    sizeof(ring_.left[0]) + sizeof(ring_.right[0]));
                ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, ring_.left[stage],
                                   left + (size_t(tile) * steps + step) * sizeof(ring_.left[0]),
                                   sizeof(ring_.left[0]), &ring_.full[stage]);
                ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, ring_.right[stage],
                                   right + (size_t(tile) * steps + step) * sizeof(ring_.right[0]),
                                   sizeof(ring_.right[0]), &ring_.full[stage]);
            }
        }
    } else if (threadIdx.x < readers) {
        while (next_tile(tile, tiles)) {
            int sum[rows] = {};
            for (int step = 0; step < steps; ++step, next_stage()) {
                await(&ring_.full[stage], parity);
                for (int j = 0; j < rows; ++j)
                    for (int k = 0; k < deep; ++k)
                        sum[j] += ring_.left[stage][threadIdx.x * deep + k] *
                                  ring_.right[stage][j * deep + k];
                __syncwarp();
                if (threadIdx.x % 32 == 0)
                    ptx::mbarrier_arrive(&ring_.empty[stage]); // expect: arrive-granularity
            }
            for (int j = 0; j < rows; ++j)
                out[(size_t(tile) * readers + threadIdx.x) * rows + j] = sum[j];
        }
    }
}

void run(const signed char *left, const signed char *right, int *out, int tiles, int width)
{
    cudaFuncSetAttribute(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(ring));
    multiply<<<132, readers + 32, sizeof(ring)>>>(left, right, out, tiles, width);
}
