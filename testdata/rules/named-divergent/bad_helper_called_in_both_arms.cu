// Both arms of a test of the lane meet "at the same barrier" through a helper: each call is a place
// of its own, and neither is ever reached by the whole warp.
#include <cuda_runtime.h>

constexpr int kWarpOnly = 5;

__device__ __forceinline__ void meet(int id, int threads)
{
    asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

__global__ void pad_row(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float row[32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (warp != 3)
        return;
    if (lane < 20) {
        row[lane] = in[lane];
        meet(kWarpOnly, 32); // expect: named-divergent
        out[lane] = row[31 - lane];
    } else {
        row[lane] = 0;
        meet(kWarpOnly, 32); // expect: named-divergent
    }
}

void launch(const float *in, float *out)
{
    pad_row<<<1, 128>>>(in, out);
}
