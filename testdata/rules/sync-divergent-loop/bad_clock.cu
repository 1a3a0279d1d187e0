// Each thread reads the clock for itself, and some see the time run out a round earlier.
#include <cuda_runtime.h>

__global__ void relax(float *data, long long budget)
{
    __shared__ float s[128];
    long long begin = clock64();
    float v = data[threadIdx.x];
    while (clock64() - begin < budget) {
        s[threadIdx.x] = v;
        __syncthreads(); // expect: sync-divergent-loop
        v = 0.5f * (v + s[127 - threadIdx.x]);
        __syncthreads();
    }
    data[threadIdx.x] = v;
}

void launch(float *data)
{
    relax<<<1, 128>>>(data, 1000000);
}
