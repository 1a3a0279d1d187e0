// Eight bytes to an odd element of an array of floats.
#include <cuda_pipeline_primitives.h>

__global__ void gather(const float2 *in, float *out)
{
    __shared__ alignas(16) float tile[2 * 128 + 1];
    __pipeline_memcpy_async(tile + 2 * threadIdx.x + 1, in + threadIdx.x, 8); // expect: tx-size-align
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[threadIdx.x] = tile[1 + threadIdx.x];
}

void run(const float2 *in, float *out)
{
    gather<<<1, 128>>>(in, out);
}
