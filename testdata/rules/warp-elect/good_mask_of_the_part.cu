#include <cstdint>
#include <cuda_runtime.h>

__device__ bool elect_among(uint32_t mask)
{
    uint32_t elected = 0;
    asm volatile("{\n\t.reg .pred p;\n\telect.sync _|p, %1;\n\tselp.u32 %0, 1, 0, p;\n\t}"
                 : "=r"(elected)
                 : "r"(mask));
    return elected != 0;
}

__global__ void halves(int *out)
{
    if (threadIdx.x % 32 < 16) {
        if (elect_among(0x0000ffffu))
            out[0] = 1;
    } else if (elect_among(0xffff0000u)) {
        out[1] = 1;
    }
}

void launch(int *out)
{
    halves<<<1, 32>>>(out);
}
