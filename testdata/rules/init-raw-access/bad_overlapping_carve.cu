// The barriers are carved out of the dynamic shared memory one row too early: the last row of the
// tile lies over them.
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
                 ".reg .pred p;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
                 "@!p bra again;\n"
                 "}" ::"r"(address_of(s)),
                 "r"(phase)
                 : "memory");
}

template <int Rows>
__global__ void columns(const float *__restrict__ in, float *__restrict__ out)
{
    extern __shared__ __align__(16) unsigned char memory[];
    float *tile = reinterpret_cast<float *>(memory);
    semaphore *done = reinterpret_cast<semaphore *>(memory + (Rows - 1) * 32 * sizeof(float));
    if (threadIdx.x == 0)
        init_semaphore(done[0], 32 * Rows);
    __syncthreads();
    tile[threadIdx.x] = in[blockIdx.x * 32 * Rows + threadIdx.x]; // expect: init-raw-access
    arrive(done[0]);
    wait(done[0], 0);
    float sum = 0.0f;
    for (int r = 0; r < Rows; ++r)
        sum += tile[r * 32 + threadIdx.x % 32]; // expect: init-raw-access
    out[blockIdx.x * 32 * Rows + threadIdx.x] = sum;
}

void run(const float *in, float *out, int blocks)
{
    columns<4><<<blocks, 128, 4 * 32 * sizeof(float) + sizeof(semaphore)>>>(in, out);
}
