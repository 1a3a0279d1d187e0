// pedantic: exited threads count as arrived, and much correct code relies on it
#include <cuda_runtime.h>

__global__ void smooth(float *data, int n)
{
    __shared__ float line[256];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    line[threadIdx.x] = data[i];
    __syncthreads(); // expect: exit-before-sync
    data[i] = 0.5f * (line[threadIdx.x] + line[threadIdx.x > 0 ? threadIdx.x - 1 : 0]);
}

void run(float *data, int n)
{
    smooth<<<(n + 255) / 256, 256>>>(data, n);
}
