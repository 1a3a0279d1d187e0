// No more bytes can be filled with zeros than are copied.
#include <cuda_pipeline.h>

__global__ void load(const float4 *in, float4 *out)
{
    __shared__ float4 tile[128];
    __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 16, 32); // expect: tx-size-align
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[threadIdx.x] = tile[threadIdx.x];
}

void launch(const float4 *in, float4 *out)
{
    load<<<1, 128>>>(in, out);
}
