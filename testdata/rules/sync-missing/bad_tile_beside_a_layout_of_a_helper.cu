// Warps store the second half of a tile while others read it. That a helper lays the same memory out
// another way later does not end the tile there.
#include <cuda_runtime.h>

extern __shared__ char smem[];
__device__ float reduce(float v) {
    float *part = (float *)(smem + 256);
    int t = threadIdx.x;
    if (t < 8) part[t] = 0;
    __syncthreads();
    if (t % 32 == 0) part[t / 32] = v;
    __syncthreads();
    return part[0];
}

__global__ void phases(float *out, const float *in) {
    float *tile = (float *)smem;
    int t = threadIdx.x;
    if (t >= 128) if (t >= 192) tile[t - 128] = in[t];
    if (t < 64) out[t] = tile[127 - t]; // expect: sync-missing
    __syncthreads();
    out[t + 256] = reduce(in[t]);
}

void run(float *out, const float *in)
{
    phases<<<1, 256, 4096>>>(out, in);
}
