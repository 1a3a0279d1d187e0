// The mbarrier that the bulk copy completes on is waited for after the first read.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void differences(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ alignas(16) float row[256];
    __shared__ uint64_t landed;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&landed, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &landed,
                                       sizeof row);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, row, in + blockIdx.x * 256,
                           sizeof row, &landed);
    }
    const float left = row[threadIdx.x]; // expect: tx-read-early
    while (!ptx::mbarrier_try_wait_parity(&landed, 0)) {
    }
    const float right = row[(threadIdx.x + 1) % 256];
    out[blockIdx.x * 256 + threadIdx.x] = right - left;
}

void run(const float *in, float *out, int rows)
{
    differences<<<rows, 256>>>(in, out);
}
