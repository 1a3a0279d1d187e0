// Each warp has a barrier of its own for its bulk copies: the elected lane initialises it and
// __syncwarp() is all that must come between.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int kWarps = 4, kRow = 128;

__global__ void rows(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ alignas(128) float row[kWarps][kRow];
    __shared__ uint64_t landed[kWarps];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (lane == 0) {
        ptx::mbarrier_init(&landed[warp], 1);
        ptx::fence_proxy_async();
    }
    __syncwarp();
    const float *from = in + (blockIdx.x * kWarps + warp) * kRow;
    if (lane == 0) {
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                       &landed[warp], sizeof row[0]);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, row[warp], from, sizeof row[0],
                           &landed[warp]);
    }
    __syncwarp();
    while (!ptx::mbarrier_try_wait_parity(&landed[warp], 0)) {
    }
    float sum = 0.0f;
    for (int i = lane; i < kRow; i += 32)
        sum += row[warp][i];
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, d);
    if (lane == 0)
        out[blockIdx.x * kWarps + warp] = sum;
}

void run(const float *in, float *out, int blocks)
{
    rows<<<blocks, 32 * kWarps>>>(in, out);
}
