// The number of barriers is worked out from the size of a parameter, which is that of a pointer.
#include <cstdint>

__device__ inline uint32_t address_of(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__device__ void init_all(uint64_t bars[3], uint32_t count)
{
    for (unsigned i = 0; i < sizeof(bars) / sizeof(*bars); ++i)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address_of(bars + i)),
                     "r"(count)
                     : "memory");
}

__device__ void meet(uint64_t *bar)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" // expect: init-missing
                 ::"r"(address_of(bar))
                 : "memory");
    asm volatile("{\n"
                 ".reg .pred done;\n"
                 "poll:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0;\n"
                 "@!done bra poll;\n"
                 "}" ::"r"(address_of(bar))
                 : "memory");
}

__global__ void thirds(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ uint64_t ready[3];
    __shared__ float part[3][32];
    if (threadIdx.x == 0)
        init_all(ready, 32);
    __syncthreads();
    for (int p = 0; p < 3; ++p) {
        part[p][threadIdx.x] = in[p * 32 + threadIdx.x];
        meet(ready + p);
        out[p * 32 + threadIdx.x] = part[p][31 - threadIdx.x];
    }
}

void run(const float *in, float *out)
{
    thirds<<<1, 32>>>(in, out);
}
