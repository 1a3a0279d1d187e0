// An mbarrier tracks the copies of each thread: the wait is there.
#include <cstdint>
#include <cuda/ptx>

__device__ inline uint32_t smem(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__global__ void reverse(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ alignas(16) float tile[512];
    __shared__ uint64_t full;
    if (threadIdx.x == 0)
        cuda::ptx::mbarrier_init(&full, 128);
    __syncthreads();
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(smem(&tile[threadIdx.x * 4])),
                 "l"(in + threadIdx.x * 4)
                 : "memory");
    asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(smem(&full))
                 : "memory");
    while (!cuda::ptx::mbarrier_try_wait_parity(&full, 0)) {
    }
    for (int k = 0; k < 4; ++k)
        out[k * 128 + threadIdx.x] = tile[511 - k * 128 - threadIdx.x];
}

void run(const float *in, float *out)
{
    reverse<<<1, 128>>>(in, out);
}
