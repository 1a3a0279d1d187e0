// Whole warps of two roles come to one barrier by different calls of a helper.
#include <cuda_runtime.h>

__device__ __forceinline__ void meet(int id, int threads)
{
    asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

__global__ void hand_over(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float row[64];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (warp < 2) {
        row[threadIdx.x] = lane < 20 ? in[threadIdx.x] : 0;
        meet(1, 128);
    } else {
        meet(1, 128);
        out[threadIdx.x - 64] = row[127 - threadIdx.x];
    }
}

void launch(const float *in, float *out)
{
    hand_over<<<1, 128>>>(in, out);
}
