// arch: sm_80
// The guard is for the other half of the protocol only.
#include <cstdint>

__device__ inline uint32_t smem(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}
__device__ inline void announce(uint32_t barrier, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
                 : "memory");
}

__global__ void start(float *out)
{
    __shared__ alignas(8) uint64_t full;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(smem(&full)) : "memory");
        announce(smem(&full), 0); // expect: port-arch
    }
    __syncthreads();
    out[threadIdx.x] = 1.0f;
}

void run(float *out)
{
    start<<<1, 128>>>(out);
}
