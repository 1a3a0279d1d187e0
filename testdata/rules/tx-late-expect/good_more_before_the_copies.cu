// The leader's arrival announces one tile; before a copy is issued it announces another: bytes that
// are owed keep the phase open.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void products(const float *rows, const float *columns, float *out)
{
    __shared__ alignas(16) float row[128], column[128];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full,
                                       sizeof(row));
        if (blockIdx.x % 2 == 0)
            ptx::mbarrier_expect_tx(ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared, &full,
                                    sizeof(column));
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, row, rows + blockIdx.x * 128,
                           sizeof(row), &full);
        if (blockIdx.x % 2 == 0)
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, column,
                               columns + blockIdx.x * 128, sizeof(column), &full);
    }
    while (!ptx::mbarrier_try_wait_parity(&full, 0)) {
    }
    const float with = blockIdx.x % 2 == 0 ? column[threadIdx.x] : 1.0f;
    out[blockIdx.x * 128 + threadIdx.x] = row[threadIdx.x] * with;
}

void run(const float *rows, const float *columns, float *out)
{
    products<<<64, 128>>>(rows, columns, out);
}
