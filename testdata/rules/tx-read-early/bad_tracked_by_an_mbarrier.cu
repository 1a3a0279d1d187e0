// The copies of all threads arrive at the mbarrier when they are done; nobody waits there.
#include <cstdint>
#include <cuda_runtime.h>

__device__ uint32_t smem(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__global__ void mirror(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ alignas(16) float row[512];
    __shared__ alignas(8) uint64_t full;
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 128;" ::"r"(smem(&full)));
    __syncthreads();
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(smem(row + 4 * threadIdx.x)),
                 "l"(in + 512 * blockIdx.x + 4 * threadIdx.x)
                 : "memory");
    asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(smem(&full))
                 : "memory");
    for (int i = 0; i < 512; i += 128)
        out[512 * blockIdx.x + i + threadIdx.x] =
            row[511 - i - threadIdx.x]; // expect: tx-read-early
}

void run(const float *in, float *out, int rows)
{
    mirror<<<rows, 128>>>(in, out);
}
