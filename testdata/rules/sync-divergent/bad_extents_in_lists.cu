// The extents of a launch as lists in braces.
#include <cuda_runtime.h>

__global__ void halves(float *data, int n)
{
    const int i = threadIdx.y * blockDim.x + threadIdx.x;
    if (threadIdx.y < 8) {
        data[i] *= 0.5f;
        __syncthreads(); // expect: sync-divergent
    }
    data[n - 1 - i] += data[i];
}

void run(float *data, int n, cudaStream_t stream)
{
    dim3 grid(4);
    halves<<<grid, {16, 16}>>>(data, n);
    halves<<<{(unsigned)n / 256, 2}, {16, 16}, 0, stream>>>(data, n);
}
