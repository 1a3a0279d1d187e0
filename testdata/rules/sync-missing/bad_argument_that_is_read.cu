// What neighbours wrote is handed to functions: one reads its argument by way of another, the text
// of the other is elsewhere.
#include <cstdio>
#include <cuda_runtime.h>

__device__ float half_of(float value)
{
    return value / 2;
}

__device__ float passed_on(float value, float)
{
    return half_of(value);
}

__global__ void halves(const float *in, float *out)
{
    __shared__ float tile[128];
    tile[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = passed_on(tile[127 - threadIdx.x], 1); // expect: sync-missing
}

__global__ void shown(const float *in)
{
    __shared__ float tile[128];
    tile[threadIdx.x] = in[threadIdx.x];
    printf("%f\n", tile[127 - threadIdx.x]); // expect: sync-missing
}

void run(const float *in, float *out)
{
    halves<<<1, 128>>>(in, out);
    shown<<<1, 128>>>(in);
}
