#include <cuda_pipeline_primitives.h>

__global__ void reverse(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ alignas(16) float tile[512];
    for (int t = 0; t < tiles; ++t) {
        __pipeline_memcpy_async(&tile[threadIdx.x * 4], &in[t * 512 + threadIdx.x * 4], 16);
        __pipeline_wait_prior(0); // expect: pipe-unbalanced
        __pipeline_commit();
        __syncthreads();
        for (int i = threadIdx.x; i < 512; i += 128)
            out[t * 512 + i] = tile[511 - i];
        __syncthreads();
    }
}

void run(const float *in, float *out, int tiles)
{
    reverse<<<1, 128>>>(in, out, tiles);
}
