// The steps of one maximum in the memory of a warp, without volatile: each reads what the one before
// has stored, and one finding tells of all of them. A second maximum behind a barrier is another.
#include <cuda_runtime.h>

__global__ void peaks(const float *in, float *out, int count)
{
    __shared__ float peak[256];
    const unsigned at = threadIdx.x, lane = at % 32;
    float most = 0;
    for (int i = blockIdx.x * 256 + at; i < count; i += gridDim.x * 256)
        most = fmaxf(most, in[i]);
    peak[at] = most;
    __syncthreads();
    if (lane < 16)
        peak[at] = fmaxf(peak[at], peak[at + 16]);
    if (lane < 8)
        peak[at] = fmaxf(peak[at], peak[at + 8]); // expect: sync-missing
    if (lane < 4)
        peak[at] = fmaxf(peak[at], peak[at + 4]);
    if (lane < 2)
        peak[at] = fmaxf(peak[at], peak[at + 2]);
    if (lane < 1)
        peak[at] = fmaxf(peak[at], peak[at + 1]);
    __syncthreads();
    if (at < 4)
        peak[at * 32] = fmaxf(peak[at * 32], peak[at * 32 + 128]);
    if (at < 2)
        peak[at * 32] = fmaxf(peak[at * 32], peak[at * 32 + 64]); // expect: sync-missing
    if (at == 0)
        out[blockIdx.x] = fmaxf(peak[0], peak[32]);
}

void launch(const float *in, float *out, int count)
{
    peaks<<<64, 256>>>(in, out, count);
}
