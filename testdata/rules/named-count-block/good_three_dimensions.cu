// The block is counted in all its dimensions.
#include <cuda_runtime.h>

constexpr int kX = 16, kY = 4, kZ = 4;

__global__ void volume(float *data)
{
    __shared__ float line[kX * kY * kZ];
    const int i = threadIdx.x + kX * (threadIdx.y + kY * threadIdx.z);
    line[i] = data[i];
    asm volatile("bar.sync 7, %0;" ::"n"(kX *kY *kZ) : "memory");
    data[i] = line[kX * kY * kZ - 1 - i];
}

void run(float *data)
{
    volume<<<1, dim3(kX, kY, kZ)>>>(data);
}
