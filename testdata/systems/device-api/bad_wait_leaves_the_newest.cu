// wait_prior(N) leaves the N newest batches under way.
#include <cuda_pipeline.h>

__global__ void load(const float4 *in, float4 *out)
{
    __shared__ float4 tile[2][128];
    __pipeline_memcpy_async(&tile[0][threadIdx.x], &in[threadIdx.x], 16);
    __pipeline_commit();
    __pipeline_memcpy_async(&tile[1][threadIdx.x], &in[128 + threadIdx.x], 16);
    __pipeline_commit();
    __pipeline_wait_prior(1); // expect: pipe-unbalanced
    out[threadIdx.x] = tile[0][threadIdx.x];
    out[128 + threadIdx.x] = tile[1][threadIdx.x];
    __pipeline_wait_prior(0);
}

void launch(const float4 *in, float4 *out)
{
    load<<<1, 128>>>(in, out);
}
