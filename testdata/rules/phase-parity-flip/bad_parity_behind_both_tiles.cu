// Two tiles come at one barrier, announced together; the parity behind them is never changed.
#include <cstdint>
#include <cuda.h>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int kTile = 512; // floats

struct Stage {
    alignas(128) float left[kTile];
    float right[kTile];
    uint32_t parity;
    uint64_t full, empty;
};

__global__ void dots(const __grid_constant__ CUtensorMap left, const __grid_constant__ CUtensorMap right,
                     int rounds, float *out)
{
    extern __shared__ __align__(128) unsigned char memory[];
    Stage &stage = *reinterpret_cast<Stage *>(memory);
    if (threadIdx.x == 0) {
        stage.parity = 0;
        ptx::mbarrier_init(&stage.full, 1);
        ptx::mbarrier_init(&stage.empty, 32);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    if (threadIdx.x == 32) {
        for (int round = 0; round < rounds; ++round) {
            while (round > 0 && !ptx::mbarrier_try_wait_parity(&stage.empty, (round - 1) & 1)) {
            }
            const int32_t at[2] = {0, round};
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &stage.full,
                                           sizeof(stage.left) + sizeof(stage.right));
            ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, stage.left, &left, at, &stage.full);
            ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, stage.right, &right, at,
                                      &stage.full);
        }
    } else if (threadIdx.x < 32) {
        float sum = 0;
        for (int round = 0; round < rounds; ++round) {
            const uint32_t parity = stage.parity;
            while (!ptx::mbarrier_try_wait_parity(&stage.full, parity)) { // expect: phase-parity-flip
            }
            for (int i = threadIdx.x; i < kTile; i += 32)
                sum += stage.left[i] * stage.right[i];
            __syncwarp();
            ptx::mbarrier_arrive(&stage.empty);
        }
        out[blockIdx.x * 32 + threadIdx.x] = sum;
    }
}

void launch(const CUtensorMap &left, const CUtensorMap &right, int rounds, float *out)
{
    dots<<<16, 64, sizeof(Stage)>>>(left, right, rounds, out);
}
