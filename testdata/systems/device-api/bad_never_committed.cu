// A wait is for batches that were committed.
#include <cuda_pipeline.h>

__global__ void load(const float *in, float *out)
{
    __shared__ float tile[128];
    __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4); // expect: group-copy-no-wait
    __pipeline_wait_prior(0); // expect: pipe-unbalanced
    out[threadIdx.x] = tile[threadIdx.x];
}

void launch(const float *in, float *out)
{
    load<<<1, 128>>>(in, out);
}
