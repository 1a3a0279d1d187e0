// One thread multiplies what all have stored; behind the barrier it knows of their stores, and the
// asynchronous proxy does not.
#include <cstdint>

__device__ inline uint32_t smem(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__device__ inline uint64_t descriptor(const void *tile)
{
    return (smem(tile) & 0x3ffff) >> 4 | uint64_t(8) << 16 | uint64_t(16) << 32 | uint64_t(1) << 46;
}

__device__ inline void multiply(uint32_t to, uint64_t a, uint64_t b, uint32_t kind, bool adds)
{
    asm volatile("{\n" // expect: tx-proxy-fence
                 ".reg .pred p;\n"
                 "setp.ne.b32 p, %4, 0;\n"
                 "tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p;\n"
                 "}"
                 :
                 : "r"(to), "l"(a), "l"(b), "r"(kind), "r"(uint32_t(adds))
                 : "memory");
}

__global__ void __launch_bounds__(128) scores(const uint32_t *__restrict__ in, uint32_t kind)
{
    __shared__ alignas(1024) uint32_t left[128 * 8];
    __shared__ alignas(1024) uint32_t right[64 * 8];
    __shared__ uint32_t place;
    __shared__ uint64_t done;
    if (threadIdx.x / 32 == 0)
        asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 64;" ::"r"(smem(&place))
                     : "memory");
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(smem(&done)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    for (int i = 0; i < 8; ++i)
        left[i * 128 + threadIdx.x] = in[i * 128 + threadIdx.x];
    for (int i = 0; i < 4; ++i)
        right[i * 128 + threadIdx.x] = in[1024 + i * 128 + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        multiply(place, descriptor(left), descriptor(right), kind, false);
        asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(
                         smem(&done))
                     : "memory");
    }
    uint32_t over = 0;
    while (!over)
        asm volatile("{\n"
                     ".reg .pred p;\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n"
                     "selp.u32 %0, 1, 0, p;\n"
                     "}"
                     : "=r"(over)
                     : "r"(smem(&done))
                     : "memory");
    if (threadIdx.x / 32 == 0)
        asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, 64;" ::"r"(place));
}

void run(const uint32_t *in, uint32_t kind)
{
    scores<<<1, 128>>>(in, kind);
}
