#include <cuda_runtime.h>


__global__ void publish(int *flags, const int *in)
{
    __shared__ int ready[4];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (lane == 0)
        ready[warp] = in[warp];
    __syncwarp(0xfffffffe); // expect: warp-mask-self
    flags[threadIdx.x] = ready[warp];
}

void launch(int *flags, const int *in)
{
    publish<<<1, 128>>>(flags, in);
}
