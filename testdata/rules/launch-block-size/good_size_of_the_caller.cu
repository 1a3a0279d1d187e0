// What the caller hands over is not known.
#include <cuda_runtime.h>

__global__ void __launch_bounds__(128) halve(float *data, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        data[i] *= 0.5f;
    __syncthreads();
}

void run(float *data, int n, int threads)
{
    halve<<<1, threads>>>(data, n);
}
