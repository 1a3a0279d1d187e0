// One warp loads the tiles of its block, and three others take them in turn, each every third: the
// loop of a taker begins as many tiles in as its number says.
#include <cuda/barrier>
#include <cuda/ptx>

namespace ptx = cuda::ptx;
using barrier_t = cuda::barrier<cuda::thread_scope_block>;

constexpr int takers = 3, stages = 6, width = 256;

__global__ void __launch_bounds__(128) scale(const float *in, float *out, int tiles)
{
    __shared__ alignas(16) float tile[stages][width];
    __shared__ uint64_t full[stages], empty[stages];
    const int warp = threadIdx.x / 32;
    if (threadIdx.x == 0) {
        for (int s = 0; s < stages; ++s) {
            ptx::mbarrier_init(&full[s], 1);
            ptx::mbarrier_init(&empty[s], 1);
        }
    }
    __syncthreads();
    if (warp == 0) {
        int stage = 0, phase = 1;
        for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
            while (!ptx::mbarrier_try_wait_parity(&empty[stage], phase))
                ;
            if (threadIdx.x == 0) {
                ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                               &full[stage], sizeof tile[0]);
                ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile[stage],
                                   in + t * width, sizeof tile[0], &full[stage]);
            }
            __syncwarp();
            if (++stage == stages) {
                stage = 0;
                phase ^= 1;
            }
        }
    } else {
        int stage = warp - 1, phase = 0;
        for (int t = blockIdx.x + (warp - 1) * gridDim.x; t < tiles; t += takers * gridDim.x) {
            while (!ptx::mbarrier_try_wait_parity(&full[stage], phase))
                ;
            for (int i = threadIdx.x % 32; i < width; i += 32)
                out[t * width + i] = 2.0f * tile[stage][i];
            __syncwarp();
            if (threadIdx.x % 32 == 0)
                ptx::mbarrier_arrive(&empty[stage]);
            stage += takers;
            if (stage >= stages) {
                stage -= stages;
                phase ^= 1;
            }
        }
    }
}

void run(const float *in, float *out, int tiles, int blocks)
{
    scale<<<blocks, 128>>>(in, out, tiles);
}
