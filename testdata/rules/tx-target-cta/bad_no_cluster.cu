// A store to the own block by an instruction that needs a cluster; the launch has none.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void hand_over(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ alignas(8) int slot;
    __shared__ uint64_t full;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&full, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full,
                                       4);
        ptx::st_async(&slot, in[blockIdx.x], &full); // expect: tx-target-cta
    }
    while (!ptx::mbarrier_try_wait_parity(&full, 0)) {
    }
    out[blockIdx.x * 64 + threadIdx.x] = slot;
}

void run(const int *in, int *out)
{
    hand_over<<<16, 64>>>(in, out);
}
