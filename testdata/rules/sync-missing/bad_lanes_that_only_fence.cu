// pedantic: lanes went together before sm_70, and a fence was enough for what one stores to be seen
// by the others. It makes no lane wait for another.
#include <cuda_runtime.h>

__global__ void differences(const float *in, float *out)
{
    __shared__ float row[32];
    const int t = threadIdx.x;
    row[t] = in[blockIdx.x * 32 + t];
    __threadfence_block();
    out[blockIdx.x * 32 + t] = row[t] - row[t == 0 ? 0 : t - 1]; // expect: sync-missing
}

void launch(const float *in, float *out, int blocks)
{
    differences<<<blocks, 32>>>(in, out);
}
