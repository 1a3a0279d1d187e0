// The producers arrive at a barrier at which the consumers count predicates.
#include <cuda_runtime.h>

namespace lanes
{
__device__ inline void arrive(int id, int warps)
{
    asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(warps * 32) : "memory");
}
__device__ inline int sync_count(int id, int warps, bool predicate)
{
    int n;
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "setp.ne.s32 p, %3, 0;\n"
                 "bar.red.popc.u32 %0, %1, %2, p;\n"
                 "}"
                 : "=r"(n)
                 : "r"(id), "r"(warps * 32), "r"(static_cast<int>(predicate))
                 : "memory");
    return n;
}
} // namespace lanes

__global__ void filter(const float *__restrict__ in, int *__restrict__ out)
{
    __shared__ float tile[64];
    if (threadIdx.x < 64) {
        tile[threadIdx.x] = in[threadIdx.x];
        lanes::arrive(2, 4);
    } else {
        const int kept = lanes::sync_count(2, 4, in[threadIdx.x] > 0.0f); // expect: named-red-mix
        out[threadIdx.x - 64] = kept + (tile[127 - threadIdx.x] > 0.0f);
    }
}

void run(const float *in, int *out)
{
    filter<<<1, 128>>>(in, out);
}
