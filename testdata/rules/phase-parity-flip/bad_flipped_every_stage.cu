// The parity is turned over with every stage instead of when the index wraps.
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

template <int Stages> struct State {
    int stage = 0;
    uint32_t phase;

    __device__ explicit State(uint32_t start) : phase(start)
    {
    }
    __device__ void next()
    {
        stage = (stage + 1) % Stages;
        phase ^= 1;
    }
};

template <int Stages>
__global__ void scale(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ PhaseBarrier full[Stages], empty[Stages];
    __shared__ float tile[Stages][32];
    if (threadIdx.x == 0) {
        for (int s = 0; s < Stages; ++s) {
            full[s].init(32);
            empty[s].init(32);
        }
    }
    __syncthreads();
    const int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        State<Stages> at(1);
        for (int t = 0; t < tiles; ++t, at.next()) {
            empty[at.stage].wait(at.phase);
            tile[at.stage][lane] = in[t * 32 + lane];
            full[at.stage].arrive();
        }
    } else {
        State<Stages> at(0);
        for (int t = 0; t < tiles; ++t, at.next()) {
            full[at.stage].wait(at.phase); // expect: phase-parity-flip
            out[t * 32 + lane] = 2.0f * tile[at.stage][31 - lane];
            empty[at.stage].arrive();
        }
    }
}

void run(const float *in, float *out)
{
    scale<4><<<1, 64>>>(in, out, 16);
}
