// The number of blocks that share the multiplication is put into the instruction: its commit is the
// arrival that the phase waits for.
#include <cstdint>

__device__ inline uint32_t smem(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

template <int Group> __device__ inline void commit(uint32_t barrier)
{
    asm volatile("tcgen05.commit.cta_group::%1."
                 "mbarrier::arrive::one.shared::cluster.b64 [%0];"
                 :
                 : "r"(barrier), "n"(Group)
                 : "memory");
}

template <int Group>
__device__ inline void multiply(uint32_t to, uint64_t a, uint64_t b, uint32_t kind)
{
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "setp.ne.b32 p, %3, 0;\n"
                 "tcgen05.mma.cta_group::%4.kind::f16 [%0], %1, %2, %3, p;\n"
                 "}"
                 :
                 : "r"(to), "l"(a), "l"(b), "r"(kind), "n"(Group)
                 : "memory");
}

__device__ inline void wait(uint32_t barrier, uint32_t parity)
{
    uint32_t over = 0;
    while (!over)
        asm volatile("{\n"
                     ".reg .pred p;\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                     "selp.u32 %0, 1, 0, p;\n"
                     "}"
                     : "=r"(over)
                     : "r"(barrier), "r"(parity)
                     : "memory");
}

__global__ void __launch_bounds__(128) rounds(uint32_t to, uint64_t a, uint64_t b, uint32_t kind, int count)
{
    __shared__ uint64_t done;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(smem(&done)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    for (int i = 0; i < count; ++i) {
        if (threadIdx.x == 32) {
            multiply<1>(to, a, b, kind);
            commit<1>(smem(&done));
        }
        wait(smem(&done), i & 1);
        __syncthreads();
    }
}

void run(uint32_t to, uint64_t a, uint64_t b, uint32_t kind, int count)
{
    rounds<<<1, 128>>>(to, a, b, kind, count);
}
