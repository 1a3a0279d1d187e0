#include <cuda_pipeline_primitives.h>

__global__ void reverse(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ alignas(16) float tile[256];
    for (int t = 0; t < tiles; ++t) {
        if (threadIdx.x < 64)
            __pipeline_memcpy_async(&tile[threadIdx.x * 4], &in[t * 256 + threadIdx.x * 4], 16);
        __pipeline_commit();
        __syncthreads();
        out[t * 256 + threadIdx.x] = tile[255 - threadIdx.x]; // expect: tx-read-early
        __pipeline_wait_prior(0);
        __syncthreads();
    }
}

void run(const float *in, float *out, int tiles)
{
    reverse<<<1, 128>>>(in, out, tiles);
}
