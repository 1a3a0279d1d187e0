// The address is mapped to the neighbour, and the instruction is the one for that.
#include <cstdint>
#include <cuda_runtime.h>

__device__ inline uint32_t smem(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}
__device__ inline uint32_t rank()
{
    uint32_t number;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(number));
    return number;
}
__device__ inline uint32_t at(uint32_t address, uint32_t block)
{
    uint32_t there;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(block));
    return there;
}
__device__ inline void meet()
{
    asm volatile("barrier.cluster.arrive.release.aligned;\n"
                 "barrier.cluster.wait.acquire.aligned;" ::
                     : "memory");
}

__global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(64) tell(float *out)
{
    __shared__ uint64_t ready;
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 64;\n"
                     "fence.mbarrier_init.release.cluster;" ::"r"(smem(&ready))
                     : "memory");
    meet();
    asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(at(smem(&ready), rank() ^ 1))
                 : "memory");
    asm volatile("{\n.reg .pred p;\nAGAIN:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n"
                 "@p bra OVER;\nbra AGAIN;\nOVER:\n}" ::"r"(smem(&ready))
                 : "memory");
    out[blockIdx.x * 64 + threadIdx.x] = rank();
    meet();
}

void launch(float *out)
{
    tell<<<8, 64>>>(out);
}
