// Half a warp elects one of all its lanes.
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void leaders(float *cell)
{
    if (threadIdx.x % 32 < 16 && ptx::elect_sync(0xffffffffu)) // expect: warp-elect
        cell[threadIdx.x / 32] += 1;
}

void run(float *cell)
{
    leaders<<<1, 128>>>(cell);
}
