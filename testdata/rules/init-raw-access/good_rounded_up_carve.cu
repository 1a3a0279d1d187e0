// The barriers start behind the tile, at the next multiple of eight.
#include <cstdint>

__device__ inline uint32_t shared_address(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__device__ inline void bar_init(uint64_t *bar, uint32_t count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(bar)), "r"(count));
}

__device__ inline void bar_arrive(uint64_t *bar)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(bar)) : "memory");
}

__device__ inline void bar_wait(uint64_t *bar, uint32_t parity)
{
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
                 "@!p bra again;\n"
                 "}" ::"r"(shared_address(bar)),
                 "r"(parity)
                 : "memory");
}

constexpr int kBytes = 125;

__global__ void bytes(const char *__restrict__ in, char *__restrict__ out)
{
    extern __shared__ __align__(16) unsigned char memory[];
    uint64_t *stored = reinterpret_cast<uint64_t *>(memory + ((kBytes + 7) & ~7));
    if (threadIdx.x == 0)
        bar_init(stored, blockDim.x);
    __syncthreads();
    if (threadIdx.x < kBytes)
        memory[threadIdx.x] = in[threadIdx.x];
    bar_arrive(stored);
    bar_wait(stored, 0);
    if (threadIdx.x < kBytes)
        out[threadIdx.x] = memory[kBytes - 1 - threadIdx.x];
}

void run(const char *in, char *out)
{
    bytes<<<1, 128, 128 + sizeof(uint64_t)>>>(in, out);
}
