// Nobody reads beyond the last element that a thread was there to store.
#include <cuda_runtime.h>

__global__ void differences(const float *in, float *out, int n)
{
    __shared__ float line[256];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    line[threadIdx.x] = in[i];
    __syncthreads();
    if (threadIdx.x + 1 < blockDim.x && i + 1 < n)
        out[i] = line[threadIdx.x + 1] - line[threadIdx.x];
}

void run(const float *in, float *out, int n)
{
    differences<<<(n + 255) / 256, 256>>>(in, out, n);
}
