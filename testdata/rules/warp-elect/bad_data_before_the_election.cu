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


__global__ void first(const int *wanted, int *out)
{
    int mine = 0;
    if (wanted[threadIdx.x] != 0) {
        if (elect_one()) // expect: warp-elect
            mine = 1;
    }
    out[threadIdx.x] = mine;
}

void launch(const int *wanted, int *out)
{
    first<<<4, 32>>>(wanted, out);
}
