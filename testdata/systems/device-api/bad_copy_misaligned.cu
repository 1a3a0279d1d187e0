// The size is the alignment of both sides.
#include <cuda_pipeline.h>

__global__ void load(const float *in, float *out)
{
    __shared__ alignas(16) float tile[512];
    __pipeline_memcpy_async(&tile[1], &in[4 * threadIdx.x], 16); // expect: tx-size-align
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[threadIdx.x] = tile[1];
}

void launch(const float *in, float *out)
{
    load<<<1, 1>>>(in, out);
}
