// The sums are added up across sixteen lanes only: the halves of each warp have totals of their own.
#include <cuda_runtime.h>

__global__ void compact(const int *keep, const float *in, float *out, int n)
{
    __shared__ int of_lane[32];
    __shared__ float turn[256];
    const int lane = threadIdx.x % 32;
    if (threadIdx.x < 32)
        of_lane[lane] = keep[lane * n];
    __syncthreads();
    int total = of_lane[lane];
    for (int step = 8; step > 0; step /= 2)
        total += __shfl_xor_sync(0xffffffffu, total, step, 16);
    for (int i = 0; i < total; i += 256) {
        turn[threadIdx.x] = in[i + threadIdx.x];
        __syncthreads(); // expect: sync-divergent-loop
        out[i + threadIdx.x] = turn[255 - threadIdx.x];
        __syncthreads();
    }
}

void launch(const int *keep, const float *in, float *out, int n)
{
    compact<<<1, 256>>>(keep, in, out, n);
}
