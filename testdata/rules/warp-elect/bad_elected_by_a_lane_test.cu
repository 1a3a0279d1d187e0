#include <cstdint>
#include <cuda_runtime.h>

__device__ __forceinline__ bool elect_one()
{
    uint32_t elected = 0;
    asm volatile("{\n\t.reg .pred p;\n\telect.sync _|p, %1;\n\t@p mov.s32 %0, 1;\n\t}"
                 : "+r"(elected)
                 : "r"(0xffffffffu));
    return elected != 0;
}


__global__ void signal(int *flag)
{
    if (threadIdx.x % 32 < 8 && elect_one()) // expect: warp-elect
        flag[threadIdx.x / 32] = 1;
    __syncwarp();
    flag[4 + threadIdx.x] = 2;
}

void launch(int *flag)
{
    signal<<<1, 128>>>(flag);
}
