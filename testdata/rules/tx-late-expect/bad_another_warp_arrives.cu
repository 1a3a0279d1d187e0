#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

// The second warp fetches, the first one arrives for it: nothing says that it does so afterwards.
__global__ void __launch_bounds__(128)
    pairs(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ alignas(128) float tile[256];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    for (int i = 0; i < tiles; ++i) {
        if (threadIdx.x == 32) {
            ptx::mbarrier_expect_tx( // expect: tx-late-expect
                ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared, &full, sizeof(tile));
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in + i * 256,
                               sizeof(tile), &full);
        }
        if (threadIdx.x == 0)
            ptx::mbarrier_arrive(&full);
        while (!ptx::mbarrier_try_wait_parity(&full, i & 1)) {
        }
        out[i * 128 + threadIdx.x] = tile[threadIdx.x] + tile[255 - threadIdx.x];
        __syncthreads();
    }
}

void run(const float *in, float *out)
{
    pairs<<<1, 128>>>(in, out, 12);
}
