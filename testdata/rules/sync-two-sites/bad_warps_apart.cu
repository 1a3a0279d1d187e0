// pedantic: whole warps take the two arms, and each has one barrier
#include <cuda_runtime.h>

__global__ void roles(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float line[64];
    if (threadIdx.x < 64) {
        line[threadIdx.x] = in[threadIdx.x];
        __syncthreads();
    } else {
        const float scale = in[64];
        __syncthreads(); // expect: sync-two-sites
        out[threadIdx.x - 64] = scale * line[127 - threadIdx.x];
    }
}

void run(const float *in, float *out)
{
    roles<<<1, 128>>>(in, out);
}
