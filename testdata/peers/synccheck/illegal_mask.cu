// kind: a warp barrier whose mask does not name its caller
#include "../ptx.cuh"

__global__ void tried(float *cell)
{
    __shared__ float part[4];
    if (threadIdx.x % 32 < 16) {
        part[threadIdx.x / 32] = cell[threadIdx.x];
        __syncwarp(0xffff0000); // expect: warp-mask-self
    }
    cell[threadIdx.x] += part[threadIdx.x / 32];
}

void launch(float *cell)
{
    tried<<<1, 128>>>(cell);
}
