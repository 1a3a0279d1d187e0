// A ring of two stages: consumers that find nothing in their slot do not give it back.
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

constexpr int kStages = 2;

__global__ void filter(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ PhaseBarrier full[kStages], empty[kStages];
    __shared__ float slot[kStages][64];
    if (threadIdx.x == 0) {
        for (int s = 0; s < kStages; ++s) {
            full[s].init(64);
            empty[s].init(64);
        }
    }
    __syncthreads();
    const int lane = threadIdx.x % 64;
    if (threadIdx.x < 64) {
        for (int t = 0; t < tiles; ++t) {
            const int s = t % kStages;
            empty[s].wait((t / kStages & 1) ^ 1);
            slot[s][lane] = in[t * 64 + lane];
            full[s].arrive();
        }
    } else {
        for (int t = 0; t < tiles; ++t) {
            const int s = t % kStages;
            full[s].wait(t / kStages & 1);
            const float value = slot[s][lane];
            if (in[t * 64 + lane] != 0.0f) {
                out[t * 64 + lane] = value;
                empty[s].arrive(); // expect: arrive-divergent
            }
        }
    }
}

void run(const float *in, float *out)
{
    filter<<<1, 128>>>(in, out, 32);
}
