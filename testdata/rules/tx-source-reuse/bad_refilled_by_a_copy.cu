// The loader is told that the row is free when its store has only begun.
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int kRow = 256;

__device__ inline void wait(uint64_t *bar, uint32_t parity)
{
    while (!ptx::mbarrier_try_wait_parity(bar, parity)) {
    }
}

__global__ void __launch_bounds__(64) doubled(const float *in, float *out, int rows)
{
    __shared__ alignas(16) float row[kRow];
    __shared__ uint64_t full, empty;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::mbarrier_init(&empty, 32);
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        for (int i = 0; i < rows; ++i) {
            wait(&full, i & 1);
            for (int k = threadIdx.x; k < kRow; k += 32)
                row[k] *= 2;
            ptx::fence_proxy_async(ptx::space_shared);
            __syncwarp();
            if (threadIdx.x == 0) {
                ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + i * kRow, row,
                                   sizeof row);
                ptx::cp_async_bulk_commit_group();
            }
            ptx::mbarrier_arrive(&empty);
            if (threadIdx.x == 0)
                ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>{});
            __syncwarp();
        }
    } else if (threadIdx.x == 32) {
        for (int i = 0; i < rows; ++i) {
            wait(&empty, ~i & 1);
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                           &full, sizeof row);
            ptx::cp_async_bulk(ptx::space_cluster, // expect: tx-source-reuse
                               ptx::space_global, row, in + i * kRow, sizeof row, &full);
        }
    }
}

void run(const float *in, float *out, int rows)
{
    doubled<<<1, 64>>>(in, out, rows);
}
