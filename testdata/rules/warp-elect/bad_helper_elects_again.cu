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


struct Ring {
    int *slot;
    __device__ void release(int value) const
    {
        if (elect_one()) // expect: warp-elect
            *slot = value;
    }
};

__global__ void produce(int *out, int tiles)
{
    const Ring ring = {out};
    if (threadIdx.x / 32 == 0) {
        if (elect_one()) {
            for (int t = 0; t < tiles; ++t)
                ring.release(t);
        }
        __syncwarp();
    }
    out[1 + threadIdx.x] = 0;
}

void launch(int *out, int tiles)
{
    produce<<<1, 64>>>(out, tiles);
}
