// Nobody may store to the destination while the copy is under way.
#include <cuda_pipeline.h>

__global__ void load(float *in, float *out)
{
    __shared__ float tile[128];
    __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);
    __pipeline_commit();
    tile[threadIdx.x] = 0; // expect: tx-read-early
    __pipeline_wait_prior(0);
    out[threadIdx.x] = tile[threadIdx.x];
}

void launch(float *in, float *out)
{
    load<<<1, 128>>>(in, out);
}
