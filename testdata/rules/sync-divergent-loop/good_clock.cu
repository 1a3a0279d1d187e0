// One thread reads the clock and tells the others.
#include <cuda_runtime.h>

__global__ void relax(float *data, long long budget)
{
    __shared__ float s[128];
    long long begin = clock64();
    float v = data[threadIdx.x];
    while (__syncthreads_or(threadIdx.x == 0 && clock64() - begin < budget)) {
        s[threadIdx.x] = v;
        __syncthreads();
        v = 0.5f * (v + s[127 - threadIdx.x]);
    }
    data[threadIdx.x] = v;
}

// Waiting for time to pass is nobody else's business.
__global__ void pause_then_sum(const float *data, float *out, unsigned ticks)
{
    __shared__ float s[64];
    s[threadIdx.x] = data[threadIdx.x];
    unsigned begin = clock();
    while (clock() - begin < ticks)
        __nanosleep(20);
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x] + s[63 - threadIdx.x];
}

void launch(float *data, float *out)
{
    relax<<<1, 128>>>(data, 1000000);
    pause_then_sum<<<1, 64>>>(data, out, 500);
}
