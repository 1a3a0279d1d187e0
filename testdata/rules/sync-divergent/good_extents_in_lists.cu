// The extents of a launch as lists in braces: with one row of threads none passes the barrier by.
#include <cuda_runtime.h>

__global__ void halves(float *data, int n)
{
    const int i = threadIdx.y * blockDim.x + threadIdx.x;
    if (threadIdx.y < 8) {
        data[i] *= 0.5f;
        __syncthreads();
    }
    data[n - 1 - i] += data[i];
}

void run(float *data, int n, cudaStream_t stream)
{
    halves<<<{4, 2}, {256}>>>(data, n);
    halves<<<4, {32, 8}, 0, stream>>>(data, n);
}
