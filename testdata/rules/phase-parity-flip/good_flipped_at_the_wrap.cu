// The index counts up and the parity turns when it comes back to 0.
#include <cstdint>

struct semaphore {
    uint64_t value;
};

__device__ inline uint32_t address_of(semaphore &s)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(&s.value));
}

__device__ inline void init_semaphore(semaphore &s, int count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address_of(s)), "r"(count));
}

__device__ inline void arrive(semaphore &s)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address_of(s)) : "memory");
}

__device__ inline void wait(semaphore &s, int phase)
{
    asm volatile("{\n"
                 ".reg .pred P1;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
                 "@P1 bra done;\n"
                 "bra again;\n"
                 "done:\n"
                 "}" ::"r"(address_of(s)),
                 "r"(phase)
                 : "memory");
}

template <int Stages>
__global__ void scale(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ semaphore full[Stages], empty[Stages];
    __shared__ float tile[Stages][32];
    if (threadIdx.x < 32) {
        for (int s = 0; s < Stages; ++s) {
            init_semaphore(full[s], 32);
            init_semaphore(empty[s], 32);
        }
    }
    __syncthreads();
    const int lane = threadIdx.x % 32;
    int stage = 0, phase = 0;
    for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
        if (threadIdx.x < 32) {
            wait(empty[stage], phase ^ 1);
            tile[stage][lane] = in[t * 32 + lane];
            arrive(full[stage]);
        } else {
            wait(full[stage], phase);
            out[t * 32 + lane] = 2.0f * tile[stage][31 - lane];
            arrive(empty[stage]);
        }
        stage = (stage + 1) % Stages;
        phase ^= stage == 0;
    }
}

void run(const float *in, float *out, int tiles)
{
    scale<3><<<64, 64>>>(in, out, tiles);
}
