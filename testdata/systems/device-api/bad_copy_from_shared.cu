// The source of a copy must be in global memory.
#include <cuda_pipeline.h>

__global__ void load(const float4 *in, float4 *out)
{
    __shared__ float4 first[128], second[128];
    first[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    __pipeline_memcpy_async(&second[threadIdx.x], &first[127 - threadIdx.x], 16); // expect: tx-size-align
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[threadIdx.x] = second[threadIdx.x];
}

void launch(const float4 *in, float4 *out)
{
    load<<<1, 128>>>(in, out);
}
