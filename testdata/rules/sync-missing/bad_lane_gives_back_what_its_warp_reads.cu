// Lane 0 of each warp hands a stage back when it has read its own part. The other lanes of its warp
// may still read theirs when the next copy arrives: no __syncwarp() comes before.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;
constexpr int STAGES = 2, TILE = 256, READERS = 128;

__device__ void wait(uint64_t *bar, uint32_t parity)
{
    while (!ptx::mbarrier_try_wait_parity(bar, parity)) {
    }
}

template <bool EXCHANGES>
__global__ void sums(const float *in, float *out, int tiles)
{
    __shared__ alignas(128) float tile[STAGES][TILE];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; ++s) {
            ptx::mbarrier_init(&full[s], 1);
            ptx::mbarrier_init(&empty[s], READERS / 32);
        }
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    if (threadIdx.x == READERS) {
        for (int t = 0; t < tiles; ++t) {
            int s = t % STAGES;
            wait(&empty[s], (t / STAGES & 1) ^ 1);
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                           &full[s], sizeof tile[s]);
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile[s], in + t * TILE,
                               sizeof tile[s], &full[s]);
        }
    } else if (threadIdx.x < READERS) {
        float sum = 0;
        for (int t = 0; t < tiles; ++t) {
            int s = t % STAGES;
            wait(&full[s], t / STAGES & 1);
            for (int i = threadIdx.x % 32; i < TILE; i += 32)
                sum += tile[s][i];
            if (EXCHANGES) // each lane has what it has read
                sum = __shfl_xor_sync(~0u, sum, 1);
            if (threadIdx.x % 32 == 0)
                ptx::mbarrier_arrive(&empty[s]); // expect: sync-missing
        }
        out[threadIdx.x] = sum;
    }
}

void launch(const float *in, float *out, int tiles)
{
    sums<false><<<1, READERS + 32>>>(in, out, tiles);
}
