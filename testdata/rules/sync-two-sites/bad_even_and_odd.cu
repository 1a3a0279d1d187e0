// Even and odd lanes stand at different calls of __syncthreads().
#include <cuda_runtime.h>

__global__ void butterfly(float *data)
{
    __shared__ float line[64];
    if (threadIdx.x & 1) {
        line[threadIdx.x] = data[threadIdx.x];
        __syncthreads();
        data[threadIdx.x] += line[threadIdx.x - 1];
    } else {
        line[threadIdx.x] = -data[threadIdx.x];
        __syncthreads(); // expect: sync-two-sites
        data[threadIdx.x] += line[threadIdx.x + 1];
    }
}

void run(float *data)
{
    butterfly<<<1, 64>>>(data);
}
