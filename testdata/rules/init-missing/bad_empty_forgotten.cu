// Producer and consumer over a class that wraps the instructions; the set-up covers the full
// barriers only.
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

constexpr int kStages = 3;

struct Storage {
    float tile[kStages][64];
    PhaseBarrier full[kStages], empty[kStages];
};

__global__ void scale(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ Storage smem;
    const int lane = threadIdx.x % 64;
    if (threadIdx.x == 0) {
        for (int s = 0; s < kStages; ++s)
            smem.full[s].init(64);
    }
    __syncthreads();
    if (threadIdx.x < 64) {
        for (int t = 0; t < tiles; ++t) {
            const int s = t % kStages;
            smem.empty[s].wait((t / kStages & 1) ^ 1); // expect: init-missing
            smem.tile[s][lane] = in[t * 64 + lane];
            smem.full[s].arrive();
        }
    } else {
        for (int t = 0; t < tiles; ++t) {
            const int s = t % kStages;
            smem.full[s].wait(t / kStages & 1);
            out[t * 64 + lane] = 2.0f * smem.tile[s][lane];
            smem.empty[s].arrive();
        }
    }
}

void run(const float *in, float *out, int tiles)
{
    scale<<<1, 128>>>(in, out, tiles);
}
