// The destination of a copy must be in shared memory.
#include <cuda_pipeline.h>

__global__ void load(const float4 *in, float4 *out)
{
    float4 mine[2];
    __pipeline_memcpy_async(&mine[0], &in[threadIdx.x], 16); // expect: tx-size-align
    __pipeline_memcpy_async(&mine[1], &in[128 + threadIdx.x], 16); // expect: tx-size-align
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[threadIdx.x] = mine[threadIdx.x & 1];
}

void launch(const float4 *in, float4 *out)
{
    load<<<1, 128>>>(in, out);
}
