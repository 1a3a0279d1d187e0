// The leader waits for the tile inside the branch at whose end it would arrive for it.
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
                 "@!P1 bra again;\n"
                 "}" ::"r"(address_of(s)),
                 "r"(phase)
                 : "memory");
}

__global__ void totals(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ semaphore summed;
    __shared__ int warp_sum[4];
    if (threadIdx.x == 0)
        init_semaphore(summed, 4);
    __syncthreads();
    const int sum = __reduce_add_sync(0xffffffffu, in[blockIdx.x * 128 + threadIdx.x]);
    if (threadIdx.x % 32 == 0) {
        warp_sum[threadIdx.x / 32] = sum;
        if (threadIdx.x == 0) {
            wait(summed, 0); // expect: phase-self-deadlock
            out[blockIdx.x] = warp_sum[0] + warp_sum[1] + warp_sum[2] + warp_sum[3];
        }
        arrive(summed);
    }
}

void run(const int *in, int *out, int blocks)
{
    totals<<<blocks, 128>>>(in, out);
}
