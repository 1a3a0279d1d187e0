// Until the copy has been waited for nobody may read where it goes.
#include <cuda_pipeline.h>

__global__ void load(const float4 *in, float4 *out)
{
    __shared__ float4 tile[128];
    __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 16);
    __pipeline_commit();
    out[threadIdx.x] = tile[threadIdx.x]; // expect: tx-read-early
    __pipeline_wait_prior(0);
}

void launch(const float4 *in, float4 *out)
{
    load<<<1, 128>>>(in, out);
}
