// The lanes whose element counts add it to the warp's sum; lane 0 may go on before others have.
#include <cuda_runtime.h>

__global__ void positive_sums(const float *in, float *out, int n)
{
    __shared__ float sum[4];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (lane == 0)
        sum[warp] = 0;
    __syncwarp();
    if (i < n)
        atomicAdd(&sum[warp], fmaxf(in[i], 0.0f));
    if (lane == 0)
        out[blockIdx.x * 4 + warp] = sum[warp]; // expect: sync-missing
}

void launch(const float *in, float *out, int n)
{
    positive_sums<<<(n + 127) / 128, 128>>>(in, out, n);
}
