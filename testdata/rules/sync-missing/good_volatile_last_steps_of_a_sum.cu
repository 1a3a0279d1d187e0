// The lanes meet between reading and storing, in each step.
#include <cuda_runtime.h>

__device__ void last_steps(volatile double *part, int thread)
{
    double sum = part[thread];
    for (int step = 32; step > 0; step /= 2) {
        sum += part[thread + step];
        __syncwarp();
        part[thread] = sum;
        __syncwarp();
    }
}

__global__ void dot(const double *a, const double *b, double *out, int n)
{
    __shared__ double part[128];
    int thread = threadIdx.x, i = blockIdx.x * 128 + thread;
    part[thread] = i < n ? a[i] * b[i] : 0.0;
    __syncthreads();
    if (thread < 64)
        part[thread] += part[thread + 64];
    __syncthreads();
    if (thread < 32)
        last_steps(part, thread);
    if (thread == 0)
        out[blockIdx.x] = part[0];
}

void launch(const double *a, const double *b, double *out, int n)
{
    dot<<<(n + 127) / 128, 128>>>(a, b, out, n);
}
