// Two groups of consumers take turns with whole tiles of a ring: each jumps over the other's stages
// by arithmetic, for any number of tiles and of stages a tile.
#include <cstdint>

struct Gate {
    uint64_t word;

    __device__ uint32_t at() const
    {
        return static_cast<uint32_t>(__cvta_generic_to_shared(&word));
    }
    __device__ void init(uint32_t arrivals)
    {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at()), "r"(arrivals));
    }
    __device__ void arrive()
    {
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at()) : "memory");
    }
    __device__ void wait(uint32_t parity)
    {
        asm volatile("{\n"
                     ".reg .pred p;\n"
                     "again:\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
                     "@!p bra again;\n"
                     "}" ::"r"(at()),
                     "r"(parity)
                     : "memory");
    }
};

template <uint32_t Stages> struct Place {
    uint32_t stage = 0, phase = 0;

    __device__ void next()
    {
        if (++stage == Stages) {
            stage = 0;
            phase ^= 1;
        }
    }
    __device__ void skip(uint32_t by)
    {
        if (by < Stages && stage + by >= Stages)
            phase ^= 1;
        if (by >= Stages && (stage + by) / Stages % 2 == 1)
            phase ^= 1;
        stage = (stage + by) % Stages;
    }
};

// The groups multiply in turns: named barriers 1 and 2 say whose it is.
__device__ void turn_wait(int role)
{
    asm volatile("bar.sync %0, 128;" ::"r"(role) : "memory");
}
__device__ void turn_give(int role)
{
    asm volatile("bar.arrive %0, 128;" ::"r"(role) : "memory");
}

template <uint32_t Stages>
__global__ void __launch_bounds__(192) turns(const int *__restrict__ in, int *__restrict__ out,
                                             int tiles, int steps)
{
    __shared__ Gate full[Stages], empty[Stages];
    __shared__ int slot[Stages][64];
    if (threadIdx.x == 0) {
        for (uint32_t s = 0; s < Stages; ++s) {
            full[s].init(64);
            empty[s].init(64);
        }
    }
    __syncthreads();
    const int role = threadIdx.x / 64, me = threadIdx.x % 64;
    Place<Stages> place;
    if (role == 0) {
        for (int t = 0; t < tiles; ++t) {
            for (int k = 0; k < steps; ++k, place.next()) {
                empty[place.stage].wait(place.phase ^ 1);
                slot[place.stage][me] = in[(t * steps + k) * 64 + me];
                full[place.stage].arrive();
            }
        }
        return;
    }
    if (role == 2) {
        place.skip(steps);
        turn_give(1);
    }
    for (int t = role - 1; t < tiles; t += 2) {
        int sum = 0;
        turn_wait(role);
        for (int k = 0; k < steps; ++k, place.next()) {
            full[place.stage].wait(place.phase);
            sum += slot[place.stage][me];
            empty[place.stage].arrive();
        }
        if (t + 1 < tiles)
            turn_give(3 - role);
        out[t * 64 + me] = sum;
        place.skip(steps);
    }
}

void run(const int *in, int *out, int tiles, int steps)
{
    turns<4><<<1, 192>>>(in, out, tiles, steps);
}
