// The loader's first lane hands the tile over and the warp leaves: an arrival does not wait for the
// other lanes, and the instruction is for whole warps.
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

__global__ void load_and_double(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float tile[64];
    if (threadIdx.x >= 64) {
        const int lane = threadIdx.x % 32;
        tile[lane] = in[blockIdx.x * 64 + lane];
        tile[lane + 32] = in[blockIdx.x * 64 + lane + 32];
        __syncwarp();
        if (lane == 0)
            lanes::arrive(1, 3); // expect: named-divergent
        return;
    }
    lanes::sync(1, 3);
    out[blockIdx.x * 64 + threadIdx.x] = 2.0f * tile[threadIdx.x];
}

void run(const float *in, float *out, int blocks)
{
    load_and_double<<<blocks, 96>>>(in, out);
}
