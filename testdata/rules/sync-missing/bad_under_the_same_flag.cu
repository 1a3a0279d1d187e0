// The bias is stored and used under the same flag, without a barrier where it is set; and one part
// is stored under a condition, but read under none.
#include <cuda_runtime.h>

__global__ void add_bias(const float *__restrict__ in, const float *__restrict__ bias,
                         float *__restrict__ out, bool biased)
{
    __shared__ float shift[128];
    if (biased)
        shift[threadIdx.x] = bias[threadIdx.x];
    float value = in[threadIdx.x];
    if (biased)
        value += shift[threadIdx.x ^ 64]; // expect: sync-missing
    out[threadIdx.x] = value;
}

__global__ void replace(const float *__restrict__ in, float *__restrict__ out, int mode)
{
    __shared__ float row[128];
    row[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if (mode != 3)
        row[threadIdx.x] = 2 * in[128 + threadIdx.x];
    out[threadIdx.x] = row[127 - threadIdx.x]; // expect: sync-missing
}

void run(const float *in, const float *bias, float *out, bool biased, int mode)
{
    add_bias<<<1, 128>>>(in, bias, out, biased);
    replace<<<1, 128>>>(in, out, mode);
}
