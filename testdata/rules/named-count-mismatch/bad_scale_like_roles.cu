// The loader arrives for all five warps, the workers wait as if they were alone.
#include <cuda_runtime.h>

namespace lanes
{
__device__ inline void sync(int id, int warps)
{
    asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(warps * 32) : "memory");
}
__device__ inline void arrive(int id, int warps)
{
    asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(warps * 32) : "memory");
}
} // namespace lanes

__global__ void load_and_scale(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float tile[128];
    const int warp = threadIdx.x / 32;
    if (warp == 4) {
        for (int i = threadIdx.x % 32; i < 128; i += 32)
            tile[i] = in[blockIdx.x * 128 + i];
        lanes::arrive(1, 5);
    } else {
        lanes::sync(1, 4); // expect: named-count-mismatch
        out[blockIdx.x * 128 + threadIdx.x] = 2.0f * tile[threadIdx.x];
    }
}

void run(const float *in, float *out, int blocks)
{
    load_and_scale<<<blocks, 160>>>(in, out);
}
