// The peak and the dip of what all warps read, put together in pairs of lanes whose numbers differ
// in one bit: with the function of the library, and spelled as a choice, from the smallest step on.
#include <cuda_runtime.h>

template <typename T> __device__ T smaller(const T &a, const T &b)
{
    return b < a ? b : a;
}

__global__ void normalise(const float *in, const int *probe, float *out)
{
    __shared__ int probes[32];
    __shared__ float line[128];
    const unsigned lane = threadIdx.x & 31;
    if (threadIdx.x < 32)
        probes[lane] = probe[lane];
    __syncthreads();
    float value = in[blockIdx.x * 128 + threadIdx.x];
    float peak = probes[lane];
    int dip = probes[lane];
    for (int step = 16; step > 0; step >>= 1)
        peak = fmaxf(__shfl_xor_sync(0xffffffffu, peak, step), peak);
    for (int step = 1; step < 32; step *= 2)
        dip = smaller(dip, __shfl_xor_sync(0xffffffffu, dip, step));
    if (peak > 1.0f) {
        line[threadIdx.x] = value / peak;
        __syncthreads();
        value = line[threadIdx.x] + line[127 - threadIdx.x];
        __syncthreads();
    }
    if (dip < 0) {
        line[threadIdx.x] = value - dip;
        __syncthreads();
        value = line[threadIdx.x] + line[127 - threadIdx.x];
    }
    out[blockIdx.x * 128 + threadIdx.x] = value;
}

void launch(const float *in, const int *probe, float *out)
{
    normalise<<<64, 128>>>(in, probe, out);
}
