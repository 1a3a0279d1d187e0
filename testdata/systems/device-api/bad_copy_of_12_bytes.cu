// The size of a copy is 4, 8 or 16.
#include <cuda_pipeline.h>

struct triple {
    float x, y, z;
};

__global__ void load(const triple *in, triple *out)
{
    __shared__ triple tile[128];
    __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 12); // expect: tx-size-align
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[threadIdx.x] = tile[threadIdx.x];
}

void launch(const triple *in, triple *out)
{
    load<<<1, 128>>>(in, out);
}
