// Committed, and a barrier instead of the wait.
#include <cuda_pipeline_primitives.h>

__global__ void reverse(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ alignas(16) float tile[512];
    __pipeline_memcpy_async(&tile[threadIdx.x * 4], in + threadIdx.x * 4, 16); // expect: group-copy-no-wait
    __pipeline_commit();
    __syncthreads();
    for (int k = 0; k < 4; ++k)
        out[k * 128 + threadIdx.x] = tile[511 - k * 128 - threadIdx.x];
}

void run(const float *in, float *out)
{
    reverse<<<1, 128>>>(in, out);
}
