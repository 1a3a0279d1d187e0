// The arrival announces bytes that a copy brings; what the thread itself has touched is not told by
// it.
#include <cstdint>

__device__ inline uint32_t smem(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__device__ inline void announce(uint64_t *bar, uint32_t bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(smem(bar)), "r"(bytes));
}

__global__ void scale(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ alignas(16) float tile[128];
    __shared__ float factor;
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(smem(&full)) : "memory");
        factor = in[128];
    }
    __syncthreads();
    const float own = factor;
    if (threadIdx.x == 0) {
        announce(&full, sizeof(tile));
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                         smem(tile)),
                     "l"(in), "r"(512), "r"(smem(&full))
                     : "memory");
    }
    asm volatile("{\n.reg .pred p;\nAGAIN:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n@!p bra AGAIN;\n}" ::"r"(
                     smem(&full))
                 : "memory");
    out[threadIdx.x] = own * tile[127 - threadIdx.x];
}

void launch(const float *in, float *out)
{
    scale<<<1, 128>>>(in, out);
}
