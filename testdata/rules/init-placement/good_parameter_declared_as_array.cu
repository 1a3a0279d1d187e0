// The helper's parameter is declared as an array and is a pointer all the same: what is counted from
// it stays in the caller's shared memory.
#include <cstdint>

constexpr int kRows = 4;

__device__ inline uint32_t address_of(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__device__ void init_all(uint64_t bars[kRows], uint32_t count)
{
    for (int i = 0; i < kRows; ++i)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address_of(bars + i)),
                     "r"(count)
                     : "memory");
}

__device__ void arrive_at_each(uint64_t bars[])
{
    for (int i = 0; i < kRows; ++i)
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address_of(bars++))
                     : "memory");
}

__device__ void wait(uint64_t *bar, uint32_t parity)
{
    asm volatile("{\n"
                 ".reg .pred done;\n"
                 "poll:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                 "@!done bra poll;\n"
                 "}" ::"r"(address_of(bar)),
                 "r"(parity)
                 : "memory");
}

__global__ void turn(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ uint64_t ready[kRows];
    __shared__ float row[kRows][64];
    if (threadIdx.x == 0)
        init_all(ready, 64);
    __syncthreads();
    for (int r = 0; r < kRows; ++r)
        row[r][threadIdx.x] = in[r * 64 + threadIdx.x];
    arrive_at_each(ready);
    for (int r = 0; r < kRows; ++r) {
        wait(ready + r, 0);
        out[r * 64 + threadIdx.x] = row[r][63 - threadIdx.x];
    }
}

void run(const float *in, float *out)
{
    turn<<<1, 64>>>(in, out);
}
