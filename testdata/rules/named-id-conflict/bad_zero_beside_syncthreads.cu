// The half that reduces uses barrier 0 by hand while the other half is at __syncthreads().
#include <cuda_runtime.h>

namespace lanes
{
__device__ inline void sync(int id, int warps)
{
    asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(warps * 32) : "memory");
}
} // namespace lanes

__global__ void totals(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float part[128];
    part[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
    __syncthreads();
    if (threadIdx.x < 64) {
        part[threadIdx.x] += part[threadIdx.x + 64];
        lanes::sync(0, 2);
        part[threadIdx.x] *= part[63 - threadIdx.x];
    }
    __syncthreads(); // expect: named-id-conflict
    out[blockIdx.x * 128 + threadIdx.x] = part[threadIdx.x % 64];
}

void run(const float *in, float *out, int blocks)
{
    totals<<<blocks, 128>>>(in, out);
}
