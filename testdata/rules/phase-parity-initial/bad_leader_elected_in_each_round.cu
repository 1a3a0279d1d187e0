// The warp that loads elects its leader anew in each round. The first of them waits for ever for a free
// buffer; the other lanes do not elect another one meanwhile, as an election waits for all of its lanes.
#include <cstdint>
#include <cuda/ptx>
#include <cuda_runtime.h>

__device__ bool leads()
{
    unsigned yes;
    asm volatile("{ .reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0, 1, 0, p; }" : "=r"(yes));
    return yes;
}

__global__ void __launch_bounds__(96) halve(const float *in, float *out, int rounds)
{
    __shared__ alignas(128) float buffer[2][64];
    __shared__ uint64_t full[2], empty[2];
    if (threadIdx.x == 0)
        for (int i = 0; i < 2; ++i) {
            cuda::ptx::mbarrier_init(&full[i], 1);
            cuda::ptx::mbarrier_init(&empty[i], 64);
        }
    __syncthreads();
    if (threadIdx.x >= 64) {
        for (int r = 0; r < rounds; ++r)
            if (leads()) {
                while (!cuda::ptx::mbarrier_try_wait_parity(&empty[r & 1], r >> 1 & 1)) { // expect: phase-parity-initial
                }
                cuda::ptx::mbarrier_arrive_expect_tx(cuda::ptx::sem_release, cuda::ptx::scope_cta, cuda::ptx::space_shared,
                                                     &full[r & 1], sizeof buffer[0]);
                cuda::ptx::cp_async_bulk(cuda::ptx::space_cluster, cuda::ptx::space_global, buffer[r & 1],
                                         in + (blockIdx.x * rounds + r) * 64, sizeof buffer[0], &full[r & 1]);
            }
    } else {
        for (int r = 0; r < rounds; ++r) {
            while (!cuda::ptx::mbarrier_try_wait_parity(&full[r & 1], r >> 1 & 1)) {
            }
            out[(blockIdx.x * rounds + r) * 64 + threadIdx.x] = 0.5f * buffer[r & 1][threadIdx.x];
            cuda::ptx::mbarrier_arrive(&empty[r & 1]);
        }
    }
}

void run(const float *in, float *out, int rounds)
{
    halve<<<132, 96>>>(in, out, rounds);
}
