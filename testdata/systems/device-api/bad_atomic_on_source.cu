// Nor change it atomically.
#include <cuda_pipeline.h>

__global__ void load(float *in, float *out)
{
    __shared__ float tile[128];
    __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);
    __pipeline_commit();
    atomicAdd(&in[threadIdx.x], 1.0f); // expect: tx-source-reuse
    __pipeline_wait_prior(0);
    out[threadIdx.x] = tile[threadIdx.x];
}

void launch(float *in, float *out)
{
    load<<<1, 128>>>(in, out);
}
