// As few bytes as the smallest copy brings come too late behind the only arrival of their phase.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void head(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ alignas(16) float line[4];
    __shared__ uint64_t ready;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&ready, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::mbarrier_arrive(&ready);
        ptx::mbarrier_expect_tx( // expect: tx-late-expect
            ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared, &ready, 16);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, line, in, 16, &ready);
    }
    while (!ptx::mbarrier_try_wait_parity(&ready, 0)) {
    }
    out[threadIdx.x] = line[threadIdx.x % 4];
}

void run(const float *in, float *out)
{
    head<<<1, 64>>>(in, out);
}
