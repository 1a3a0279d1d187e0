// All 32 lanes of the first warp execute the same initialisation: the hardware writes it once, and
// libraries rely on that.
#include <cstdint>

struct semaphore {
    uint64_t value;
};

__device__ inline void init_semaphore(semaphore &s, int count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(
                     static_cast<uint32_t>(__cvta_generic_to_shared(&s.value))),
                 "r"(count));
}

__device__ inline void arrive(semaphore &s)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(
                     static_cast<uint32_t>(__cvta_generic_to_shared(&s.value)))
                 : "memory");
}

__device__ inline void wait(semaphore &s, int phase)
{
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
                 "@!p bra again;\n"
                 "}" ::"r"(static_cast<uint32_t>(__cvta_generic_to_shared(&s.value))),
                 "r"(phase)
                 : "memory");
}

template <int Stages, int Producers, int Consumers> struct worker {
    static constexpr int threads = 32 * (Producers + Consumers);

    __device__ static void run(const float *in, float *out, int tiles)
    {
        __shared__ semaphore full[Stages], empty[Stages];
        __shared__ float tile[Stages][32 * Producers];
        const int warp = threadIdx.x / 32;
        if (warp == 0) { // all lanes; in effect one thread
            for (int s = 0; s < Stages; ++s) {
                init_semaphore(full[s], 32 * Producers);
                init_semaphore(empty[s], 32 * Consumers);
            }
        }
        __syncthreads();
        for (int t = 0; t < tiles; ++t) {
            const int s = t % Stages, round = t / Stages;
            if (warp < Producers) {
                wait(empty[s], (round & 1) ^ 1);
                tile[s][threadIdx.x] = in[t * 32 * Producers + threadIdx.x];
                arrive(full[s]);
            } else {
                wait(full[s], round & 1);
                for (int i = threadIdx.x - 32 * Producers; i < 32 * Producers; i += 32 * Consumers)
                    out[t * 32 * Producers + i] = tile[s][i] * tile[s][i];
                arrive(empty[s]);
            }
        }
    }
};

template <int Stages> __global__ void square(const float *in, float *out, int tiles)
{
    worker<Stages, 2, 1>::run(in, out, tiles);
}

void run(const float *in, float *out, int tiles)
{
    square<4><<<1, worker<4, 2, 1>::threads>>>(in, out, tiles);
}
