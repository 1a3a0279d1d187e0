// Four, eight and sixteen bytes, each to a place aligned to as much.
#include <cuda_pipeline_primitives.h>

__global__ void gather(const float4 *in, float *out)
{
    __shared__ alignas(16) float tile[8 * 128];
    __pipeline_memcpy_async(tile + 4 * threadIdx.x, in + threadIdx.x, 16);
    __pipeline_memcpy_async(tile + 512 + 2 * threadIdx.x, in + threadIdx.x, 8);
    __pipeline_memcpy_async(tile + 768 + threadIdx.x, in + threadIdx.x, 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x] + tile[512 + threadIdx.x] + tile[768 + threadIdx.x];
}

void run(const float4 *in, float *out)
{
    gather<<<1, 128>>>(in, out);
}
