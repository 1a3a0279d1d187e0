// One barrier a warp is fine as long as every launch has at most 15 warps.
#include <cuda_runtime.h>

__global__ void per_warp(float *data)
{
    int warp = threadIdx.x / 32;
    data[threadIdx.x] *= 2.0f;
    __barrier_sync_count(1 + warp, 32);
    data[threadIdx.x] += data[threadIdx.x ^ 1];
}

void run(float *data, bool large)
{
    if (large)
        per_warp<<<8, 480>>>(data);
    else
        per_warp<<<8, 64>>>(data);
}
