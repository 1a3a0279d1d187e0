// Inline PTX: operands by value and by address, constants folded.
#include <cuda_runtime.h>

template <int N> __device__ void named_sync(int id)
{
    asm volatile("bar.sync %0, %1;" ::"r"(id), "n"(N * 32) : "memory");
}
__global__ void kernel(unsigned *p)
{
    __shared__ unsigned long long bar;
    unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(&bar));
    named_sync<4>(1);
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address), "r"(128));
    unsigned lane;
    asm("mov.u32 %0, %laneid;" : "=r"(lane));
    asm("add.u32 %0, %0, 1;" : "+r"(lane));
    p[0] = lane;
}
