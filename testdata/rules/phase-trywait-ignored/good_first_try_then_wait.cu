// The first test, ahead of other work, only says whether the blocking wait may be left out.
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
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at()) : "memory");
    }
    __device__ bool try_wait(uint32_t parity) const
    {
        uint32_t done;
        asm volatile("{\n"
                     ".reg .pred p;\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                     "selp.u32 %0, 1, 0, p;\n"
                     "}"
                     : "=r"(done)
                     : "r"(at()), "r"(parity)
                     : "memory");
        return done != 0;
    }
    __device__ void wait(uint32_t parity) const
    {
        while (!try_wait(parity)) {
        }
    }
};

enum class Outcome : uint32_t { Again, Done };

struct Token {
    Outcome outcome;

    __device__ bool done() const
    {
        return outcome == Outcome::Done;
    }
};

template <int Stages> struct Ring {
    Barrier full[Stages], empty[Stages];

    __device__ Token consumer_try(int stage, uint32_t parity) const
    {
        return {full[stage].try_wait(parity) ? Outcome::Done : Outcome::Again};
    }
    __device__ void consumer_wait(int stage, uint32_t parity, Token token) const
    {
        if (!token.done())
            full[stage].wait(parity);
    }
};

__global__ void scale(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    constexpr int stages = 3;
    __shared__ Ring<stages> ring;
    __shared__ float tile[stages][32];
    if (threadIdx.x == 0) {
        for (int s = 0; s < stages; ++s) {
            ring.full[s].init(32);
            ring.empty[s].init(32);
        }
    }
    __syncthreads();
    const int lane = threadIdx.x % 32;
    int stage = 0;
    uint32_t parity = 0;
    float sum = 0.0f;
    for (int t = 0; t < tiles; ++t) {
        if (threadIdx.x < 32) {
            ring.empty[stage].wait(parity ^ 1);
            tile[stage][lane] = in[t * 32 + lane];
            ring.full[stage].arrive();
        } else {
            const Token token = ring.consumer_try(stage, parity);
            sum *= 0.5f;
            ring.consumer_wait(stage, parity, token);
            sum += tile[stage][31 - lane];
            ring.empty[stage].arrive();
        }
        if (++stage == stages) {
            stage = 0;
            parity ^= 1;
        }
    }
    if (threadIdx.x >= 32)
        out[lane] = sum;
}

void run(const float *in, float *out, int tiles)
{
    scale<<<1, 64>>>(in, out, tiles);
}
