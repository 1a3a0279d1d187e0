// All warps vote on the same words, but the last one has sixteen lanes and sees half of them.
#include <cuda_runtime.h>

__global__ void clamp_line(const float *in, float *out, float limit)
{
    __shared__ float probe[32];
    __shared__ float line[48];
    const unsigned lane = threadIdx.x & 31;
    if (threadIdx.x < 32)
        probe[lane] = in[lane];
    __syncthreads();
    float value = in[threadIdx.x];
    if (__any_sync(__activemask(), probe[lane] > limit)) {
        line[threadIdx.x] = fminf(value, limit);
        __syncthreads(); // expect: sync-divergent
        value = line[47 - threadIdx.x];
    }
    out[threadIdx.x] = value;
}

void launch(const float *in, float *out, float limit)
{
    clamp_line<<<1, 48>>>(in, out, limit);
}
