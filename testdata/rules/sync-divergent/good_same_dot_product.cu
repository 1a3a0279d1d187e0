// All threads work out the same sum, whatever the words are that it is made of.
#include <cuda_runtime.h>

__global__ void __launch_bounds__(128) shared_hinge(const float *a, const float *b, float *out)
{
    __shared__ float left[64], right[64], kept[128];
    if (threadIdx.x < 64) {
        left[threadIdx.x] = a[blockIdx.x * 64 + threadIdx.x];
        right[threadIdx.x] = b[threadIdx.x];
    }
    __syncthreads();
    float dot = 0.f;
    for (int d = 0; d < 64; ++d)
        dot += left[d] * right[d];
    if (dot > 0.f) {
        kept[threadIdx.x] = dot * threadIdx.x;
        __syncthreads();
        out[blockIdx.x * 128 + threadIdx.x] = kept[127 - threadIdx.x];
    }
}

void launch(const float *a, const float *b, float *out, int rows)
{
    shared_hinge<<<rows, 128>>>(a, b, out);
}
