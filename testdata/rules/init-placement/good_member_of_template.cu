#include <cstdint>

// Where a member of a dependent class lies is known to those who instantiate it.
struct gate {
    uint64_t word;
    __device__ void init(uint32_t count)
    {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(
                         (uint32_t)__cvta_generic_to_shared(&word)),
                     "r"(count));
    }
};

template <int Stages> struct storage {
    float tile[Stages];
    gate full[Stages];
};

template <int Stages>
__global__ void ring()
{
    extern __shared__ alignas(1024) unsigned char buffer[];
    auto &shared = *reinterpret_cast<storage<Stages> *>(buffer);
    if (threadIdx.x == 0)
        for (int i = 0; i < Stages; ++i)
            shared.full[i].init(1);
    __syncthreads();
}
