// A thread uses what its own copy has brought: the compiler may read that before the wait.
#include <cstdint>

__device__ inline uint32_t smem(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__global__ void scale(const float4 *__restrict__ in, float4 *__restrict__ out, float by)
{
    __shared__ float4 row[128];
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(smem(&row[threadIdx.x])),
                 "l"(in + threadIdx.x));
    asm volatile("cp.async.commit_group;");
    asm volatile("cp.async.wait_group 0;"); // expect: port-asm-clobber
    row[threadIdx.x].x *= by;
    __syncthreads();
    out[threadIdx.x] = row[127 - threadIdx.x];
}

void run(const float4 *in, float4 *out, float by)
{
    scale<<<1, 128>>>(in, out, by);
}
