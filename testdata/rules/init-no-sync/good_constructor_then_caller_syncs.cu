// A pipeline object initialises its barriers in its constructor; the kernel that makes it
// synchronises the block afterwards.
#include <cstdint>

struct Barrier {
    uint64_t storage;

    __device__ void init(uint32_t arrivals)
    {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(
                         static_cast<uint32_t>(__cvta_generic_to_shared(&storage))),
                     "r"(arrivals));
    }
    __device__ void arrive() const
    {
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(
                         static_cast<uint32_t>(__cvta_generic_to_shared(&storage)))
                     : "memory");
    }
    __device__ bool ready(uint32_t parity) const
    {
        uint32_t done;
        asm volatile("{\n"
                     ".reg .pred p;\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                     "selp.u32 %0, 1, 0, p;\n"
                     "}"
                     : "=r"(done)
                     : "r"(static_cast<uint32_t>(__cvta_generic_to_shared(&storage))), "r"(parity)
                     : "memory");
        return done != 0;
    }
    __device__ void wait(uint32_t parity) const
    {
        while (!ready(parity)) {
        }
    }
};

template <int Stages> struct Ring {
    struct Storage {
        Barrier full[Stages], empty[Stages];
    };
    Storage &at;

    __device__ Ring(Storage &storage, uint32_t producers, uint32_t consumers) : at(storage)
    {
        if (threadIdx.x / 32 == 0 && threadIdx.x % 32 == 0) {
            for (int s = 0; s < Stages; ++s) {
                at.full[s].init(producers);
                at.empty[s].init(consumers);
            }
            asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        }
    }
};

__global__ void squares(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    constexpr int stages = 2;
    __shared__ Ring<stages>::Storage storage;
    __shared__ float tile[stages][32];
    Ring<stages> ring(storage, 32, 32);
    __syncthreads();
    int stage = 0;
    uint32_t parity = 0;
    for (int t = 0; t < tiles; ++t) {
        if (threadIdx.x < 32) {
            ring.at.empty[stage].wait(parity ^ 1);
            tile[stage][threadIdx.x] = in[t * 32 + threadIdx.x];
            ring.at.full[stage].arrive();
        } else {
            ring.at.full[stage].wait(parity);
            const float x = tile[stage][threadIdx.x - 32];
            out[t * 32 + threadIdx.x - 32] = x * x;
            ring.at.empty[stage].arrive();
        }
        if (++stage == stages) {
            stage = 0;
            parity ^= 1;
        }
    }
}

void run(const float *in, float *out, int tiles)
{
    squares<<<1, 64>>>(in, out, tiles);
}
