// The lanes of a warp meet behind what they add, by __syncwarp() or by an exchange.
#include <cuda_runtime.h>

__global__ void positive_sums(const float *in, float *out, unsigned *none, int n)
{
    __shared__ float sum[4];
    __shared__ unsigned zeros[4];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (lane == 0) {
        sum[warp] = 0;
        zeros[warp] = 0;
    }
    __syncwarp();
    if (i < n)
        atomicAdd(&sum[warp], fmaxf(in[i], 0.0f));
    __syncwarp();
    if (lane == 0)
        out[blockIdx.x * 4 + warp] = sum[warp];
    if (i < n && in[i] == 0)
        atomicAdd(&zeros[warp], 1u);
    const unsigned some = __ballot_sync(0xffffffffu, i < n);
    if (lane == 0)
        none[blockIdx.x * 4 + warp] = some ? zeros[warp] : ~0u;
}

void launch(const float *in, float *out, unsigned *none, int n)
{
    positive_sums<<<(n + 127) / 128, 128>>>(in, out, none, n);
}
