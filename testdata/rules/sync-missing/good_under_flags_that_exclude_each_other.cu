// What is stored under one mode is read under another one, which no launch has as well; and stored
// and read under one flag, with the barrier between the two.
#include <cuda_runtime.h>

__global__ void modes(const float *__restrict__ in, float *__restrict__ out, int mode)
{
    __shared__ float row[128];
    row[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    float value = 0;
    if (mode == 1)
        row[threadIdx.x] = 2 * in[128 + threadIdx.x];
    if (mode == 2)
        value += row[127 - threadIdx.x];
    if (mode != 1)
        value += row[127 - threadIdx.x];
    if (mode > 5)
        value += row[127 - threadIdx.x];
    out[threadIdx.x] = value;
}

__global__ void add_bias(const float *__restrict__ in, const float *__restrict__ bias,
                         float *__restrict__ out, bool biased)
{
    __shared__ float shift[128];
    if (biased)
        shift[threadIdx.x] = bias[threadIdx.x];
    __syncthreads();
    float value = in[threadIdx.x];
    if (biased)
        value += shift[threadIdx.x ^ 64];
    out[threadIdx.x] = value;
}

void run(const float *in, const float *bias, float *out, bool biased, int mode)
{
    modes<<<1, 128>>>(in, out, mode);
    add_bias<<<1, 128>>>(in, bias, out, biased);
}
