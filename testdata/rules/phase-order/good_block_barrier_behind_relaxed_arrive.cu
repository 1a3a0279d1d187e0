#include <cstdint>

// The head of a line is stored by threads, the rest is counted by an mbarrier. The thread that
// arrives has stored too, and its arrival publishes nothing; the barrier of the block does.
__global__ void line(const float *in, float *out)
{
    __shared__ alignas(8) uint64_t filled;
    __shared__ float row[256];
    uint32_t bar = (uint32_t)__cvta_generic_to_shared(&filled);
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar));
    row[threadIdx.x] = in[threadIdx.x];
    if (threadIdx.x == 0)
        asm volatile("mbarrier.arrive.relaxed.cta.shared::cta.b64 _, [%0];" ::"r"(bar) : "memory");
    __syncthreads();
    asm volatile("{\n.reg .pred done;\nagain:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0;\n"
                 "@done bra.uni out;\nbra.uni again;\nout:\n}\n" ::"r"(bar) : "memory");
    out[threadIdx.x] = row[255 - threadIdx.x];
}

void launch(const float *in, float *out)
{
    line<<<1, 256>>>(in, out);
}
