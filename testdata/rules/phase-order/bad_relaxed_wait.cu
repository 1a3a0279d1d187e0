// The wait of the consumers is relaxed: they know that the phase is over, not what was written.
#include <cstdint>

struct Barrier {
    uint64_t word;

    __device__ uint32_t at() const
    {
        return static_cast<uint32_t>(__cvta_generic_to_shared(&word));
    }
    __device__ void init(uint32_t count)
    {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at()), "r"(count));
    }
    __device__ void arrive()
    {
        asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 _, [%0];" ::"r"(at())
                     : "memory");
    }
    __device__ void wait_relaxed(uint32_t parity)
    {
        asm volatile("{\n"
                     ".reg .pred p;\n"
                     "again:\n"
                     "mbarrier.try_wait.parity.relaxed.cta.shared::cta.b64 p, [%0], %1;\n"
                     "@!p bra again;\n"
                     "}" ::"r"(at()),
                     "r"(parity)
                     : "memory");
    }
};

__global__ void pass_on(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ Barrier full;
    __shared__ int tile[32];
    if (threadIdx.x == 0)
        full.init(32);
    __syncthreads();
    if (threadIdx.x < 32) {
        tile[threadIdx.x] = in[blockIdx.x * 32 + threadIdx.x];
        full.arrive();
    } else {
        full.wait_relaxed(0); // expect: phase-order
        out[blockIdx.x * 32 + threadIdx.x - 32] = tile[63 - threadIdx.x];
    }
}

void run(const int *in, int *out, int blocks)
{
    pass_on<<<blocks, 64>>>(in, out);
}
