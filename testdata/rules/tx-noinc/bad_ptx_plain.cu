#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;
#include <cuda_pipeline_primitives.h>

__global__ void reverse(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ alignas(16) float tile[512];
    __shared__ uint64_t full;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&full, 128);
    __syncthreads();
    __pipeline_memcpy_async(&tile[threadIdx.x * 4], &in[threadIdx.x * 4], 16);
    asm volatile( // expect: tx-noinc
        "cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(
            static_cast<uint32_t>(__cvta_generic_to_shared(&full)))
        : "memory");
    while (!ptx::mbarrier_try_wait_parity(&full, 0)) {
    }
    for (int i = threadIdx.x; i < 512; i += 128)
        out[i] = tile[511 - i];
}

void run(const float *in, float *out)
{
    reverse<<<1, 128>>>(in, out);
}
