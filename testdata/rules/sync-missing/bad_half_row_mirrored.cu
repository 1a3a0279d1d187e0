// Elements of two bytes that are read by the operators of their type.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <typename T> __global__ void mirror(const T *in, float *out)
{
    __shared__ T row[256];
    const int i = threadIdx.x;
    row[i] = in[blockIdx.x * 256 + i];
    out[blockIdx.x * 256 + i] = (float)row[255 - i]; // expect: sync-missing
}

__global__ void pair_sum(const __half *in, __half *out)
{
    __shared__ __half row[128];
    const int i = threadIdx.x;
    row[i] = in[i];
    __syncthreads();
    if (i < 64)
        row[i] += row[i + 64];
    out[i] = row[i & 31] * row[(i & 31) + 32]; // expect: sync-missing
}

void launch(const __half *h, const __nv_bfloat16 *b, float *out, __half *sums, int rows)
{
    mirror<<<rows, 256>>>(h, out);
    mirror<<<rows, 256>>>(b, out);
    pair_sum<<<1, 128>>>(h, sums);
}
