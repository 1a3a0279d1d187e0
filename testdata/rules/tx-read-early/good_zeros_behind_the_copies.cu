// What the copies leave out of the buffer is set to zero by a helper that moves data out of it too.
#include <cuda_pipeline_primitives.h>

__device__ void move(float *to, const float *from)
{
    for (int k = 0; k < 4; ++k)
        to[k] = from[k];
}

__global__ void reverse(const float *__restrict__ in, float *__restrict__ out, int count)
{
    __shared__ alignas(16) float tile[512];
    const int at = (blockIdx.x * 128 + threadIdx.x) * 4;
    const float none[4] = {};
    if (at < count)
        __pipeline_memcpy_async(&tile[threadIdx.x * 4], &in[at], 16);
    else
        move(&tile[threadIdx.x * 4], none);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    move(&out[at], &tile[508 - threadIdx.x * 4]);
}

void run(const float *in, float *out, int count)
{
    reverse<<<(count + 511) / 512, 128>>>(in, out, count);
}
