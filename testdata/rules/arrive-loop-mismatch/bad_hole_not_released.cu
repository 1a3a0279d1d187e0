// A tile whose first word says that it is a hole is left without giving its stage back.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;
constexpr int depth = 2, words = 64;

__device__ void until(uint64_t *bar, uint32_t parity)
{
    while (!ptx::mbarrier_try_wait_parity(bar, parity)) {
    }
}

__global__ void gather(const int *in, int *out, int tiles)
{
    __shared__ alignas(16) int tile[depth][words];
    __shared__ uint64_t full[depth], empty[depth];
    if (threadIdx.x == 0) {
        for (int s = 0; s < depth; ++s) {
            ptx::mbarrier_init(&full[s], 1);
            ptx::mbarrier_init(&empty[s], words);
        }
    }
    __syncthreads();
    if (threadIdx.x == words) {
        for (int t = 0; t < tiles; ++t) {
            const int s = t % depth;
            until(&empty[s], (t / depth & 1) ^ 1); // expect: arrive-loop-mismatch
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                           &full[s], sizeof(tile[s]));
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile[s], in + t * words,
                               sizeof(tile[s]), &full[s]);
        }
    } else if (threadIdx.x < words) {
        for (int t = 0; t < tiles; ++t) {
            const int s = t % depth;
            until(&full[s], t / depth & 1);
            if (tile[s][0] < 0)
                continue;
            out[t * words + threadIdx.x] = tile[s][words - 1 - threadIdx.x];
            ptx::mbarrier_arrive(&empty[s]);
        }
    }
}

void launch(const int *in, int *out, int tiles)
{
    gather<<<1, words + 32>>>(in, out, tiles);
}
