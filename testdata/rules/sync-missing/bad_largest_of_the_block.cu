// The largest number and where it is: a step reads what the step before may have replaced.
#include <cuda_runtime.h>

__global__ void argmax(const int *in, int *out)
{
    __shared__ int best[256];
    __shared__ int where[256];
    const int t = threadIdx.x;
    best[t] = in[blockIdx.x * 256 + t];
    where[t] = t;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half && best[t + half] > best[t]) { // expect: sync-missing
            best[t] = best[t + half];
            where[t] = where[t + half]; // expect: sync-missing
        }
    }
    __syncthreads();
    if (t == 0)
        out[blockIdx.x] = where[0];
}

void launch(const int *in, int *out, int blocks)
{
    argmax<<<blocks, 256>>>(in, out);
}
