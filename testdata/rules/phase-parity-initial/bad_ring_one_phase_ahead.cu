// The ring's two roles agree on their parity, but it starts at 1: the consumers find each tile
// before the producers have written it.
#include <cstdint>

struct Gate {
    uint64_t word;

    __device__ uint32_t address() const
    {
        return static_cast<uint32_t>(__cvta_generic_to_shared(&word));
    }
    __device__ void init(uint32_t arrivals)
    {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address()), "r"(arrivals));
    }
    __device__ void arrive() const
    {
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address()) : "memory");
    }
    __device__ void wait(uint32_t parity) const
    {
        asm volatile("{\n"
                     ".reg .pred p;\n"
                     "retry:\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
                     "@!p bra retry;\n"
                     "}" ::"r"(address()),
                     "r"(parity)
                     : "memory");
    }
};

template <int Depth>
__global__ void halves(const int *__restrict__ in, int *__restrict__ out, int tiles)
{
    __shared__ Gate filled[Depth], free[Depth];
    __shared__ int slot[Depth][64];
    if (threadIdx.x == 0) {
        for (int d = 0; d < Depth; ++d) {
            filled[d].init(64);
            free[d].init(64);
        }
    }
    __syncthreads();
    const int me = threadIdx.x % 64;
    int d = 0;
    uint32_t phase = 1;
    for (int t = 0; t < tiles; ++t) {
        if (threadIdx.x < 64) {
            free[d].wait(phase ^ 1);
            slot[d][me] = in[t * 64 + me];
            filled[d].arrive();
        } else {
            filled[d].wait(phase); // expect: phase-parity-initial
            out[t * 64 + me] = slot[d][me] / 2;
            free[d].arrive();
        }
        if (++d == Depth) {
            d = 0;
            phase ^= 1;
        }
    }
}

void run(const int *in, int *out, int tiles)
{
    halves<3><<<1, 128>>>(in, out, tiles);
}
