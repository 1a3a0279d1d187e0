#include <cstdint>

struct Stage {
    uint64_t word;

    __device__ uint32_t at() const
    {
        return static_cast<uint32_t>(__cvta_generic_to_shared(&word));
    }
    __device__ void init(uint32_t count)
    {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at()), "r"(count));
    }
    __device__ void arrive()
    {
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at()) : "memory");
    }
    __device__ void arrive_and_expect(uint32_t bytes)
    {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at()),
                     "r"(bytes)
                     : "memory");
    }
    __device__ void expect(uint32_t bytes)
    {
        asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(at()),
                     "r"(bytes)
                     : "memory");
    }
    __device__ void load(void *to, const void *from, uint32_t bytes)
    {
        const uint32_t smem = static_cast<uint32_t>(__cvta_generic_to_shared(to));
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                     "[%0], [%1], %2, [%3];" ::"r"(smem),
                     "l"(from), "r"(bytes), "r"(at())
                     : "memory");
    }
    __device__ void wait(uint32_t parity)
    {
        asm volatile("{\n"
                     ".reg .pred done;\n"
                     "again:\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                     "@!done bra again;\n"
                     "}" ::"r"(at()),
                     "r"(parity)
                     : "memory");
    }
};

constexpr int stages = 3, tile_floats = 128;

__global__ void reverse_tiles(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ alignas(128) float tile[stages][tile_floats];
    __shared__ Stage full[stages], empty[stages];
    if (threadIdx.x == 0) {
        for (int s = 0; s < stages; ++s) {
            full[s].init(1);
            empty[s].init(128);
        }
    }
    __syncthreads();
    if (threadIdx.x >= 128) {
        if (threadIdx.x == 128) {
            for (int t = 0; t < tiles; ++t) {
                const int s = t % stages;
                empty[s].wait((t / stages & 1) ^ 1);
                full[s].expect(sizeof(tile[s]));
                full[s].load(tile[s], in + t * tile_floats, sizeof(tile[s]));
                full[s].arrive();
            }
        }
    } else {
        for (int t = 0; t < tiles; ++t) {
            const int s = t % stages;
            full[s].wait(t / stages & 1);
            out[t * tile_floats + threadIdx.x] = tile[s][tile_floats - 1 - threadIdx.x];
            empty[s].arrive();
        }
    }
}

void run(const float *in, float *out, int tiles)
{
    reverse_tiles<<<1, 160>>>(in, out, tiles);
}
