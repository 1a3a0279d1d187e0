// A template of which one instance brings a second part: the other announces no bytes for it, behind
// the arrival, and nothing comes too late.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

template <uint32_t Extra>
__global__ void halves(const float *__restrict__ in, float *__restrict__ out, int chunks)
{
    __shared__ alignas(16) float line[512];
    __shared__ uint64_t ready;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&ready, 2);
    __syncthreads();
    for (int c = 0; c < chunks; ++c) {
        if (threadIdx.x == 0) {
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                           &ready, 1024);
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, line, in + c * 256, 1024,
                               &ready);
        }
        if (threadIdx.x == 32) {
            if (Extra == 0)
                ptx::mbarrier_arrive(&ready);
            ptx::mbarrier_expect_tx(ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared, &ready,
                                    Extra);
            if (Extra > 0) {
                ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, line + 256, in, Extra,
                                   &ready);
                ptx::mbarrier_arrive(&ready);
            }
        }
        while (!ptx::mbarrier_try_wait_parity(&ready, c & 1)) {
        }
        out[c * 256 + threadIdx.x] = line[255 - threadIdx.x];
        __syncthreads();
    }
}

__global__ void signal(float *out)
{
    __shared__ uint64_t ready;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&ready, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        out[blockIdx.x] = 1;
        ptx::mbarrier_arrive(&ready);
        ptx::mbarrier_expect_tx(ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared, &ready, 0);
    }
    while (!ptx::mbarrier_try_wait_parity(&ready, 0)) {
    }
}

void run(const float *in, float *out, int chunks)
{
    halves<0><<<1, 256>>>(in, out, chunks);
    halves<1024><<<1, 256>>>(in, out, chunks);
    signal<<<1, 64>>>(out);
}
