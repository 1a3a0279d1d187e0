// The copy may have landed when the threads come to wait: then the phase they name is still to come
// and never ends.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void sums(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ uint64_t arrived;
    __shared__ alignas(16) float row[128];
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&arrived, 1);
        ptx::fence_proxy_async();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                       &arrived, sizeof row);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, row, in + blockIdx.x * 128,
                           sizeof row, &arrived);
    }
    while (!ptx::mbarrier_try_wait_parity(&arrived, 1)) { // expect: phase-parity-initial
    }
    out[blockIdx.x * 64 + threadIdx.x] = row[threadIdx.x] + row[threadIdx.x + 64];
}

void run(const float *in, float *out, int blocks)
{
    sums<<<blocks, 64>>>(in, out);
}
