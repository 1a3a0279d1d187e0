#include <cuda_runtime.h>

// The lane of the largest number, found by halves; the first lane stands for none.
__global__ void pivot(const float *in, int *where, int from)
{
    __shared__ float best[2];
    __shared__ int lane_of[2], chosen;
    const int x = threadIdx.x;
    float v = x >= 1 ? fabsf(in[blockIdx.x * 64 + x]) : -1.0f;
    int at = x;
    for (int d = 16; d > 0; d >>= 1) {
        const float other = __shfl_down_sync(~0u, v, d);
        const int place = __shfl_down_sync(~0u, at, d);
        if (other > v) {
            v = other;
            at = place;
        }
    }
    if (x % 32 == 0) {
        best[x / 32] = v;
        lane_of[x / 32] = at;
    }
    __syncthreads();
    if (x == 0)
        chosen = best[1] > best[0] ? lane_of[1] : lane_of[0];
    __syncthreads();
    if (x == chosen)
        where[blockIdx.x] = x;
}

void launch(const float *in, int *where, int from, int blocks)
{
    pivot<<<blocks, 64>>>(in, where, from);
}
