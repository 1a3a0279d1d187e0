// The same behind a barrier; a table that the warp of its reader has filled alone; one of which the
// reader goes through its own elements; and one that its reader has stored, beside another.
#include <cuda_runtime.h>

__global__ void sum(const float *in, float *out, int n)
{
    __shared__ float part[256];
    part[threadIdx.x] = threadIdx.x < n ? in[threadIdx.x] : 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        float all = 0;
        for (int i = 0; i < n; ++i)
            all += part[i];
        *out = all;
    }
}

__global__ void of_a_warp(const float *in, float *out, int n)
{
    __shared__ float part[32];
    if (threadIdx.x < 32)
        part[threadIdx.x] = in[threadIdx.x];
    __syncwarp();
    if (threadIdx.x == 0) {
        float all = 0;
        for (int i = 0; i < n; ++i)
            all += part[i];
        *out = all;
    }
}

__global__ void own(const float *in, float *out, int n)
{
    __shared__ float part[4 * 128];
    float *mine = part + 4 * threadIdx.x;
    for (int i = 0; i < n; ++i)
        mine[i] = in[threadIdx.x * n + i];
    float all = 0;
    for (int i = 0; i < n; ++i)
        all += mine[i];
    out[threadIdx.x] = all;
}

__global__ void beside(const float *in, float *out, int n)
{
    __shared__ float part[128], factor[128];
    if (threadIdx.x == 0)
        for (int i = 0; i < n; ++i)
            factor[i] = in[i];
    part[threadIdx.x] = in[128 + threadIdx.x];
    if (threadIdx.x == 0) {
        float all = 0;
        for (int i = 0; i < n; ++i)
            all += factor[i];
        *out = all;
    }
    __syncthreads();
    out[1 + threadIdx.x] = part[127 - threadIdx.x] * factor[0];
}

void launch(const float *in, float *out, int n)
{
    sum<<<1, 256>>>(in, out, n);
    of_a_warp<<<1, 128>>>(in, out, n);
    own<<<1, 128>>>(in, out, 4);
    beside<<<1, 128>>>(in, out, n);
}
