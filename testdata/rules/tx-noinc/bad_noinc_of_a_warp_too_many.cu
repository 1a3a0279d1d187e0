// One warp more lets its copies arrive than the barrier counts.
#include <cstdint>
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline_primitives.h>

__device__ void track(__mbarrier_t *barrier)
{
    const uint32_t at = static_cast<uint32_t>(__cvta_generic_to_shared(barrier));
    asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(at) : "memory");
}

__global__ void reverse(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ alignas(16) float tile[512];
    __shared__ __mbarrier_t full;
    if (threadIdx.x == 0)
        __mbarrier_init(&full, 96);
    __syncthreads();
    for (int t = 0; t < tiles; ++t) {
        __pipeline_memcpy_async(&tile[threadIdx.x * 4], &in[t * 512 + threadIdx.x * 4], 16);
        track(&full); // expect: tx-noinc
        while (!__mbarrier_test_wait_parity(&full, t & 1)) {
        }
        for (int i = threadIdx.x; i < 512; i += 128)
            out[t * 512 + i] = tile[511 - i];
        __syncthreads();
    }
}

void run(const float *in, float *out, int tiles)
{
    reverse<<<1, 128>>>(in, out, tiles);
}
