// Two stages give the producer a lead of two tiles; nothing keeps it from lapping the consumer.
#include <cstdint>

struct PhaseBarrier {
    uint64_t word;

    __device__ uint32_t address() const
    {
        return static_cast<uint32_t>(__cvta_generic_to_shared(&word));
    }
    __device__ void init(uint32_t count)
    {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address()), "r"(count));
    }
    __device__ void arrive()
    {
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address()) : "memory");
    }
    __device__ void wait(uint32_t parity)
    {
        asm volatile("{\n"
                     ".reg .pred done;\n"
                     "poll:\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                     "@!done bra poll;\n"
                     "}" ::"r"(address()),
                     "r"(parity)
                     : "memory");
    }
};

template <int Stages>
__global__ void scale(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ PhaseBarrier full[Stages];
    __shared__ float tile[Stages][32];
    if (threadIdx.x == 0) {
        for (int s = 0; s < Stages; ++s)
            full[s].init(32);
    }
    __syncthreads();
    const int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        for (int t = 0; t < tiles; ++t) {
            tile[t % Stages][lane] = in[t * 32 + lane];
            full[t % Stages].arrive();
        }
    } else {
        for (int t = 0; t < tiles; ++t) {
            full[t % Stages].wait(t / Stages & 1); // expect: phase-parity-lag
            out[t * 32 + lane] = 2.0f * tile[t % Stages][31 - lane];
        }
    }
}

void run(const float *in, float *out)
{
    scale<2><<<1, 64>>>(in, out, 11);
}
