// The producers never wait for the consumers.
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

__global__ void stream(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ float tile[64];
    if (threadIdx.x < 64) {
        for (int t = 0; t < tiles; ++t) {
            tile[threadIdx.x] = in[t * 64 + threadIdx.x];
            lanes::arrive(1, 4); // expect: named-double-arrive
        }
    } else {
        for (int t = 0; t < tiles; ++t) {
            lanes::sync(1, 4);
            out[t * 64 + threadIdx.x - 64] = tile[127 - threadIdx.x];
        }
    }
}

void run(const float *in, float *out, int tiles)
{
    stream<<<1, 128>>>(in, out, tiles);
}
