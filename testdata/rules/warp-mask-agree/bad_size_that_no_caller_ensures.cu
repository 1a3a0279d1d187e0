// pedantic: sizes are mostly multiples of 32
#include <cuda_runtime.h>


__global__ void scale(const float *in, float *out, int n)
{
    for (int i = threadIdx.x % 32; i < n; i += 32)
        out[i] = in[i] * __shfl_sync(0xffffffffu, in[i], 0); // expect: warp-mask-agree
}

void launch(const float *in, float *out, int n)
{
    scale<<<1, 32>>>(in, out, n);
}
