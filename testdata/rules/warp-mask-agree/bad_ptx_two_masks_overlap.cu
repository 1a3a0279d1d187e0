#include <cuda_runtime.h>


__global__ void roles(int *data)
{
    __shared__ int box[32];
    if (threadIdx.x < 8) {
        box[threadIdx.x] = data[threadIdx.x];
        asm volatile("bar.warp.sync 0x0000ffff;" ::: "memory"); // expect: warp-mask-agree
    } else {
        asm volatile("bar.warp.sync 0xffffff00;" ::: "memory");
        data[threadIdx.x] = box[threadIdx.x % 8];
    }
    __syncwarp();
}

void launch(int *data)
{
    roles<<<1, 32>>>(data);
}
