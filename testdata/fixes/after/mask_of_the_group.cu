// The lanes that come are the lanes that are named.
#include <cuda_runtime.h>

__global__ void halves(float *data)
{
    __shared__ float tile[128];
    const int lane = threadIdx.x % 32;
    tile[threadIdx.x] = data[threadIdx.x];
    if (lane < 16) {
        __syncwarp(0x0000ffffu);
        data[threadIdx.x] = tile[threadIdx.x ^ 1];
    }
    if (lane >= 16) {
        __syncwarp(0xffff0000u);
        data[threadIdx.x] = tile[threadIdx.x ^ 2];
    }
}

void launch(float *data)
{
    halves<<<1, 128>>>(data);
}
