// Every warp reads the sums of all warps by lane and adds them up across: all threads have the same
// total, and go round as often.
#include <cuda_runtime.h>

__device__ int add_across(int value)
{
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, step);
    return value;
}

__global__ void compact(const int *keep, const float *in, float *out, int n)
{
    __shared__ int of_warp[8];
    __shared__ float turn[256];
    int mine = 0;
    for (int i = threadIdx.x; i < n; i += 256)
        mine += keep[i] != 0;
    mine = add_across(mine);
    if (threadIdx.x % 32 == 0)
        of_warp[threadIdx.x / 32] = mine;
    __syncthreads();
    const int lane = threadIdx.x % 32;
    const int total = add_across(lane < 8 ? of_warp[lane] : 0);
    for (int i = 0; i < total; i += 256) {
        turn[threadIdx.x] = in[i + threadIdx.x];
        __syncthreads();
        out[i + threadIdx.x] = turn[255 - threadIdx.x];
        __syncthreads();
    }
}

void launch(const int *keep, const float *in, float *out, int n)
{
    compact<<<1, 256>>>(keep, in, out, n);
}
