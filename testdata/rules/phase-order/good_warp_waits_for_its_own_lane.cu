// The relaxed arrival counts rounds; who waits for it are the lanes of the same warp, which the
// barrier of the warp has told of each other's stores.
#include <cstdint>
#include <cuda_runtime.h>

__device__ inline uint32_t at(const void *word)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(word));
}

__global__ void __launch_bounds__(64) turned(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ int line[2][32];
    __shared__ alignas(8) uint64_t gate[2];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x < 2)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at(&gate[threadIdx.x])) : "memory");
    __syncthreads();
    line[warp][lane] = in[blockIdx.x * 64 + threadIdx.x];
    __syncwarp();
    if (lane == 0)
        asm volatile("mbarrier.arrive.relaxed.cta.shared::cta.b64 _, [%0];" ::"r"(at(&gate[warp])) : "memory");
    asm volatile("{\n.reg .pred over;\nagain:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 over, [%0], 0;\n"
                 "@!over bra again;\n}" ::"r"(at(&gate[warp]))
                 : "memory");
    out[blockIdx.x * 64 + threadIdx.x] = line[warp][31 - lane];
}

void run(const int *in, int *out, int blocks)
{
    turned<<<blocks, 64>>>(in, out);
}
