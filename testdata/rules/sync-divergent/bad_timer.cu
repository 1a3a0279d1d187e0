// The timer is read by every thread for itself, by PTX and through cuda::ptx.
#include <cstdint>
#include <cuda/ptx>

__device__ __forceinline__ uint64_t now()
{
    uint64_t t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

__global__ void late_asm(float *data, uint64_t deadline)
{
    __shared__ float s[64];
    s[threadIdx.x] = data[threadIdx.x];
    if (now() < deadline) {
        __syncthreads(); // expect: sync-divergent
        data[threadIdx.x] = s[63 - threadIdx.x];
    }
}

__global__ void late_ptx(float *data, uint64_t deadline)
{
    __shared__ float s[64];
    s[threadIdx.x] = data[threadIdx.x];
    if (cuda::ptx::get_sreg_globaltimer() < deadline) {
        __syncthreads(); // expect: sync-divergent
        data[threadIdx.x] = s[63 - threadIdx.x];
    }
}

void launch(float *data, uint64_t deadline)
{
    late_asm<<<1, 64>>>(data, deadline);
    late_ptx<<<1, 64>>>(data, deadline);
}
