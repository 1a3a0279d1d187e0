// Warps that the barrier does not count return at once; so do the producers once their last tile
// is published.
#include <cstdint>

struct ClusterBarrier {
    uint64_t word;

    __device__ uint32_t address() const
    {
        return static_cast<uint32_t>(__cvta_generic_to_shared(&word));
    }
    __device__ void init(uint32_t count)
    {
        asm volatile("mbarrier.init.shared::cta.b64 [%1], %0;" ::"r"(count), "r"(address()));
    }
    __device__ void arrive() const
    {
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address()) : "memory");
    }
    __device__ void wait(uint32_t phase) const
    {
        asm volatile("{\n"
                     ".reg .pred P1;\n"
                     "LAB_WAIT:\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
                     "@P1 bra DONE;\n"
                     "bra LAB_WAIT;\n"
                     "DONE:\n"
                     "}" ::"r"(address()),
                     "r"(phase)
                     : "memory");
    }
};

__global__ void __launch_bounds__(128) stream(const float *in, float *out, int tiles)
{
    __shared__ ClusterBarrier full, empty;
    __shared__ float tile[32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        full.init(32);
        empty.init(32);
    }
    __syncthreads();
    if (warp >= 2)
        return;
    if (warp == 0) {
        for (int t = 0; t < tiles; ++t) {
            empty.wait(t & 1 ^ 1);
            tile[lane] = in[t * 32 + lane];
            full.arrive();
        }
        return;
    }
    for (int t = 0; t < tiles; ++t) {
        full.wait(t & 1);
        out[t * 32 + lane] = tile[lane];
        empty.arrive();
    }
}

void run(const float *in, float *out)
{
    stream<<<1, 128>>>(in, out, 16);
}
