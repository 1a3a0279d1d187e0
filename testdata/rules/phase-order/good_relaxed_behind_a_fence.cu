// The arrival is relaxed, the fence before it orders the store; and a relaxed arrival that only
// counts needs none.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__device__ void arrive_relaxed(uint64_t *bar)
{
    asm volatile("mbarrier.arrive.relaxed.cta.shared::cta.b64 _, [%0];" ::"r"(
                     static_cast<uint32_t>(__cvta_generic_to_shared(bar)))
                 : "memory");
}

__global__ void mirror(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ uint64_t stored, started;
    __shared__ float line[128];
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&stored, 128);
        ptx::mbarrier_init(&started, 128);
    }
    __syncthreads();
    arrive_relaxed(&started);
    line[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
    __threadfence_block();
    arrive_relaxed(&stored);
    while (!ptx::mbarrier_try_wait_parity(&stored, 0)) {
    }
    out[blockIdx.x * 128 + threadIdx.x] = line[127 - threadIdx.x];
}

void run(const float *in, float *out, int blocks)
{
    mirror<<<blocks, 128>>>(in, out);
}
