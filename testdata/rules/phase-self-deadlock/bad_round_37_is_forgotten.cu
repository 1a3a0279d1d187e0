// All rounds but one are whole: in the 38th nobody gives the buffer back.
#include <cstdint>

using semaphore = uint64_t;

__device__ inline uint32_t address_of(semaphore &s)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(&s));
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
                 "@!P1 bra again;\n"
                 "}" ::"r"(address_of(s)),
                 "r"(phase)
                 : "memory");
}

__global__ void stream(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ semaphore full, empty;
    __shared__ float tile[32];
    const int lane = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        init_semaphore(full, 32);
        init_semaphore(empty, 32);
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        for (int t = 0; t < 64; ++t) {
            wait(empty, t & 1 ^ 1); // expect: phase-self-deadlock
            tile[lane] = in[t * 32 + lane];
            arrive(full);
        }
    } else {
        for (int t = 0; t < 64; ++t) {
            wait(full, t & 1);
            out[t * 32 + lane] = tile[lane];
            if (t != 37)
                arrive(empty);
        }
    }
}

void run(const float *in, float *out)
{
    stream<<<1, 64>>>(in, out);
}
