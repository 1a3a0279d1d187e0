// Warps are counted along y. How many threads a row has no launch says here: in a block of one row
// the lanes would go on into the next stage.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

__global__ void stages(const float4 *in, float4 *out)
{
    extern __shared__ float4 stage[];
    const int own = threadIdx.y * 32 + threadIdx.x;
    for (int i = 0; i < 2; ++i) {
        __pipeline_memcpy_async(&stage[i * 64 + own], &in[i * 64 + own], sizeof(float4));
        __pipeline_commit();
    }
    __pipeline_wait_prior(1);
    __syncthreads();
    float4 first = stage[own ^ 1];
    __pipeline_wait_prior(0);
    __syncthreads();
    float4 second = stage[64 + (own ^ 1)];
    out[own] = make_float4(first.x + second.x, first.y, second.y, 0.0f);
}
