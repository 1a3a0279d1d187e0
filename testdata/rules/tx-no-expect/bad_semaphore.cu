// The producer arrives and announces no bytes for the copies that follow.
#include <cstdint>

// A semaphore of one's own over an mbarrier.
struct semaphore {
    uint64_t word;
};

__device__ inline uint32_t address_of(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__device__ inline void init_semaphore(semaphore &s, int threads, int transactions)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address_of(&s)),
                 "r"(threads + transactions));
}

__device__ inline void expect_bytes(semaphore &s, uint32_t bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address_of(&s)),
                 "r"(bytes)
                 : "memory");
}

__device__ inline void arrive(semaphore &s)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address_of(&s)) : "memory");
}

__device__ inline void load_async(void *to, const void *from, uint32_t bytes, semaphore &s)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, "
                 "[%3];" ::"r"(address_of(to)),
                 "l"(from), "r"(bytes), "r"(address_of(&s))
                 : "memory");
}

__device__ inline void wait(semaphore &s, int phase)
{
    asm volatile("{\n\t.reg .pred p;\n\tagain:\n\t"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n\t"
                 "@p bra.uni done;\n\tbra.uni again;\n\tdone:\n\t}" ::"r"(address_of(&s)),
                 "r"(phase)
                 : "memory");
}

struct alignas(16) tile {
    float row[16][16];
};

__global__ void load(const tile *in, float *out, int tiles)
{
    __shared__ tile a, b;
    __shared__ semaphore arrived;
    if (threadIdx.x == 0)
        init_semaphore(arrived, 0, 1);
    __syncthreads();
    for (int i = 0; i < tiles; ++i) {
        if (threadIdx.x == 0) {
            arrive(arrived);
            load_async(&a, in + 2 * i, sizeof(a), arrived);
            load_async(&b, in + 2 * i + 1, sizeof(b), arrived); // expect: tx-no-expect
        }
        wait(arrived, i & 1);
        out[i * 64 + threadIdx.x] = a.row[threadIdx.x / 16][0] * b.row[0][threadIdx.x % 16];
        __syncthreads();
    }
}

void run(const tile *in, float *out, int tiles)
{
    load<<<1, 64>>>(in, out, tiles);
}
