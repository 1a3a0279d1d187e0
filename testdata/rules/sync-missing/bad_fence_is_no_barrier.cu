// A fence orders what one thread does; nobody waits at it until the others have written as well.
#include <cuda_runtime.h>

__global__ void mirror(const float *in, float *out)
{
    __shared__ float row[256];
    const int t = threadIdx.x;
    row[t] = in[blockIdx.x * 256 + t];
    __threadfence_block();
    out[blockIdx.x * 256 + t] = row[255 - t]; // expect: sync-missing
}

__global__ void sum_of_squares(const float *in, float *out)
{
    __shared__ float sum;
    const int t = threadIdx.x;
    if (t == 0) {
        sum = 0;
        __threadfence();
    }
    atomicAdd(&sum, in[t] * in[t]); // expect: sync-missing
    __syncthreads();
    out[t] = in[t] / sum;
}

void launch(const float *in, float *out, int blocks)
{
    mirror<<<blocks, 256>>>(in, out);
    sum_of_squares<<<1, 256>>>(in, out);
}
