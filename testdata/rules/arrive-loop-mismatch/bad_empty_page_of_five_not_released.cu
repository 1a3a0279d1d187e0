// Five pages in flight: one that its first word says is empty is passed over together with its release.
#include <cstdint>
#include <cuda_runtime.h>

constexpr int pages = 5, words = 64;

struct gate {
    uint64_t word;

    __device__ uint32_t at() const { return static_cast<uint32_t>(__cvta_generic_to_shared(&word)); }
    __device__ void init(int count)
    {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at()), "r"(count) : "memory");
    }
    __device__ void arrive()
    {
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at()) : "memory");
    }
    __device__ void wait(int parity)
    {
        asm volatile("{\n.reg .pred over;\nnot_yet:\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 over, [%0], %1;\n"
                     "@!over bra not_yet;\n}" ::"r"(at()),
                     "r"(parity)
                     : "memory");
    }
};

__global__ void pick(const int *__restrict__ in, int *__restrict__ out, int count)
{
    __shared__ int page[pages][words];
    __shared__ gate filled[pages], drained[pages];
    if (threadIdx.x < pages) {
        filled[threadIdx.x].init(words);
        drained[threadIdx.x].init(words);
    }
    __syncthreads();
    const int lane = threadIdx.x % words;
    if (threadIdx.x < words) {
        for (int i = 0; i < count; ++i) {
            const int p = i % pages;
            drained[p].wait((i / pages & 1) ^ 1); // expect: arrive-loop-mismatch
            page[p][lane] = in[i * words + lane];
            filled[p].arrive();
        }
    } else {
        for (int i = 0; i < count; ++i) {
            const int p = i % pages;
            filled[p].wait(i / pages & 1);
            if (page[p][0] == 0)
                continue;
            out[i * words + lane] = page[p][words - 1 - lane];
            drained[p].arrive();
        }
    }
}

void launch(const int *in, int *out, int count)
{
    pick<<<1, 2 * words>>>(in, out, count);
}
