// The loader announces and copies the next tiles to stages that nobody has said are free. What is
// told is that nothing holds it back: that it comes twice to a phase, and leaves early, follows.
#include <cstdint>

__device__ __forceinline__ unsigned smem(const void *p)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

template <int STAGES> __global__ void halve(const float *in, float *out, int tiles)
{
    __shared__ alignas(128) float stage[STAGES][96];
    __shared__ uint64_t full[STAGES];
    if (threadIdx.x == 0)
        for (int s = 0; s < STAGES; ++s)
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(smem(&full[s])) : "memory");
    __syncthreads();
    if (threadIdx.x == 96) {
        for (int tile = 0; tile < tiles; ++tile) {
            const int s = tile % STAGES;
            asm volatile(
                "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(smem(&full[s])),
                "n"(96 * 4)
                : "memory");
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], "
                         "[%1], %2, [%3];" ::"r"(smem(stage[s])),
                         "l"(in + tile * 96), "n"(96 * 4), "r"(smem(&full[s]))
                         : "memory");
        }
    } else if (threadIdx.x < 96) {
        for (int tile = 0; tile < tiles; ++tile) {
            const int s = tile % STAGES;
            unsigned over = 0;
            while (!over)
                asm volatile("{\n\t.reg .pred p;\n\t" // expect: phase-parity-lag
                             "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\t"
                             "selp.u32 %0, 1, 0, p;\n\t}"
                             : "=r"(over)
                             : "r"(smem(&full[s])), "r"(tile / STAGES & 1)
                             : "memory");
            out[tile * 96 + threadIdx.x] = 0.5f * stage[s][threadIdx.x];
        }
    }
}

void run(const float *in, float *out, int tiles)
{
    halve<2><<<1, 128>>>(in, out, tiles);
}
