#include <cstdint>

// Nothing here instantiates the kernel: how many threads do what is for its user to choose, and no
// choice that would not work says anything about it.
__device__ bool elected()
{
    uint32_t one = 0;
    asm volatile("{\n\t.reg .pred p;\n\telect.sync _|p, 0xffffffff;\n\t@p mov.s32 %0, 1;\n\t}"
                 : "+r"(one));
    return one != 0;
}

template <unsigned MathThreads, unsigned CopyThreads>
__global__ void product()
{
    extern __shared__ alignas(1024) unsigned char buffer[];
    uint32_t bar = (uint32_t)__cvta_generic_to_shared(buffer);
    const bool copies = MathThreads <= threadIdx.x && threadIdx.x < MathThreads + 32;
    if (copies && elected())
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(bar), "r"(MathThreads));
    __syncthreads();
}
