// Consumers begin with the parities of a producer, and free what they have not read.
#include <cstdint>
#include <cuda_runtime.h>
namespace dev {
__device__ __forceinline__ uint32_t sptr(const void *p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }
__device__ __forceinline__ void mb_init(uint64_t *b, unsigned n) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(sptr(b)), "r"(n)
                 : "memory");
}
__device__ __forceinline__ void mb_arrive(uint64_t *b) {
    asm volatile("{ .reg .b64 st; mbarrier.arrive.shared::cta.b64 st, [%0]; }" ::"r"(sptr(b))
                 : "memory");
}
__device__ __forceinline__ void mb_expect(uint64_t *b, unsigned bytes) {
    asm volatile("{ .reg .b64 st; mbarrier.arrive.expect_tx.shared::cta.b64 st, [%0], %1; }" ::"r"(sptr(b)), "r"(bytes)
                 : "memory");
}
__device__ __forceinline__ bool mb_try(uint64_t *b, unsigned parity) {
    uint32_t ok;
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(ok)
                 : "r"(sptr(b)), "r"(parity)
                 : "memory");
    return ok != 0;
}
__device__ __forceinline__ void bulk_g2s(void *dst, const void *src, unsigned bytes, uint64_t *b) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(sptr(dst)), "l"(src), "r"(bytes), "r"(sptr(b))
                 : "memory");
}
__device__ __forceinline__ void init_fence() { asm volatile("fence.mbarrier_init.release.cluster;" ::
                                                                : "memory"); }
} // namespace dev
template <int D>
struct RingSync {
    uint64_t full[D], empty[D];
};
struct Walker {
    uint32_t bits; // one parity per slot
    int slot = 0;
    __device__ explicit Walker(bool first) : bits(first ? ~0u : 0u) {}
    __device__ uint32_t parity() const { return (bits >> slot) & 1u; }
    template <int D>
    __device__ void next() {
        bits ^= 1u << slot;
        slot = slot + 1 == D ? 0 : slot + 1;
    }
};
template <int D, int BYTES>
__global__ void __launch_bounds__(128) stream(const char *g, unsigned *sum, int n) {
    __shared__ alignas(128) char buf[D][BYTES];
    __shared__ RingSync<D> r;
    if (threadIdx.x == 0) {
        for (int i = 0; i < D; ++i) {
            dev::mb_init(&r.full[i], 1);
            dev::mb_init(&r.empty[i], 96);
        }
        dev::init_fence();
    }
    __syncthreads();
    if (threadIdx.x == 96) {
        Walker w(true);
        for (int i = 0; i < n; ++i) {
            while (!dev::mb_try(&r.empty[w.slot], w.parity())) {
            }
            dev::mb_expect(&r.full[w.slot], BYTES);
            dev::bulk_g2s(buf[w.slot], g + size_t(i) * BYTES, BYTES, &r.full[w.slot]);
            w.next<D>();
        }
    } else if (threadIdx.x < 96) {
        Walker w(threadIdx.x < 96);
        unsigned acc = 0;
        for (int i = 0; i < n; ++i) {
            while (!dev::mb_try(&r.full[w.slot], w.parity())) { // expect: phase-parity-initial
            }
            for (int k = threadIdx.x; k < BYTES; k += 96)
                acc += buf[w.slot][k];
            dev::mb_arrive(&r.empty[w.slot]);
            w.next<D>();
        }
        atomicAdd(sum, acc);
    }
}
void launch(const char *g, unsigned *s, int n) { stream<4, 2048><<<1, 128>>>(g, s, n); }
