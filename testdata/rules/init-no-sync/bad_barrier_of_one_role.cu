// The named barrier after the initialisation joins the two producer warps only; the consumers go
// straight to their wait.
#include <cstdint>

struct semaphore {
    uint64_t value;
};

__device__ inline uint32_t address_of(semaphore &s)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(&s.value));
}

__device__ inline void init_semaphore(semaphore &s, int threads, int transactions = 0)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address_of(s)),
                 "r"(threads + transactions));
}

__device__ inline void arrive(semaphore &s)
{
    asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 _, [%0];" ::"r"(address_of(s))
                 : "memory");
}

__device__ inline void wait(semaphore &s, int phase)
{
    asm volatile("{\n"
                 ".reg .pred P1;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 P1, [%0], %1;\n"
                 "@!P1 bra again;\n"
                 "}" ::"r"(address_of(s)),
                 "r"(phase)
                 : "memory");
}

__global__ void produce_consume(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ semaphore full;
    __shared__ float tile[64];
    if (threadIdx.x < 64) {
        if (threadIdx.x == 0)
            init_semaphore(full, 64); // expect: init-no-sync
        asm volatile("bar.sync 1, 64;" ::: "memory");
        tile[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
        arrive(full);
    } else {
        wait(full, 0);
        out[blockIdx.x * 64 + threadIdx.x - 64] = tile[127 - threadIdx.x];
    }
}

void run(const float *in, float *out, int blocks)
{
    produce_consume<<<blocks, 128>>>(in, out);
}
