#include <cuda_runtime.h>


__global__ void halves(int *data)
{
    const int lane = threadIdx.x % 32;
    int value = data[threadIdx.x];
    if (lane < 16) {
        value += __shfl_xor_sync(0x0000ffff, value, 1);
        asm volatile("bar.warp.sync 0x0000ffff;" ::: "memory");
    } else {
        value -= __shfl_xor_sync(0xffff0000, value, 1);
        asm volatile("bar.warp.sync 0xffff0000;" ::: "memory");
    }
    data[threadIdx.x] = value;
}

void launch(int *data)
{
    halves<<<1, 96>>>(data);
}
