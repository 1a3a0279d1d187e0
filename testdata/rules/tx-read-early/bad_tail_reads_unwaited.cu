// Threads with an element of their own read it before anybody has waited for the copy.
#include <cuda_runtime.h>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void square(const float *in, float *out, int n)
{
    __shared__ alignas(16) float value[128];
    __shared__ uint64_t full;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&full, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full,
                                       sizeof value);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, value, in + blockIdx.x * 128,
                           sizeof value, &full);
    }
    const int at = blockIdx.x * 128 + threadIdx.x;
    if (at < n)
        out[at] = value[threadIdx.x] * value[threadIdx.x]; // expect: tx-read-early
    while (!ptx::mbarrier_try_wait_parity(&full, 0)) {
    }
}

void launch(const float *in, float *out, int blocks, int n)
{
    square<<<blocks, 128>>>(in, out, n);
}
