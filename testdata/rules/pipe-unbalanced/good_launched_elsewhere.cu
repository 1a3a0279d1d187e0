// Blocks of 64 threads, as another file launches it: larger ones, which nobody starts, would read
// the second half too early.
#include <cuda_pipeline.h>

__global__ void halves(const float4 *in, float4 *out)
{
    __shared__ float4 row[2][64];
    float4 *flat = &row[0][0];
    if (threadIdx.x < 64)
        __pipeline_memcpy_async(&flat[threadIdx.x], &in[threadIdx.x], 16);
    __pipeline_commit();
    if (threadIdx.x < 64)
        __pipeline_memcpy_async(&flat[64 + threadIdx.x], &in[64 + threadIdx.x], 16);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    out[threadIdx.x] = flat[threadIdx.x];
    __pipeline_wait_prior(0);
    __syncthreads();
    out[64 + threadIdx.x] = flat[127 - threadIdx.x];
}
