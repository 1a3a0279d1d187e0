// Lanes of a warp add up the last values with nothing but a volatile pointer, as one did before
// sm_70: since then they may run apart.
#include <cuda_runtime.h>

__device__ void last_steps(volatile double *part, int thread)
{
    part[thread] += part[thread + 32];
    part[thread] += part[thread + 16]; // expect: sync-missing
    part[thread] += part[thread + 8];
    part[thread] += part[thread + 4];
    part[thread] += part[thread + 2];
    part[thread] += part[thread + 1];
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
