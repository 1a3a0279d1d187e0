// One warp fetches half of a row and lets its copies arrive by the plain form; the arrivals that
// the count stands for are those of another warp, which knows nothing of it.
#include <cstdint>
#include <cuda_runtime.h>

__device__ inline uint32_t smem(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}
__device__ inline void fetch(float *to, const float *from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(smem(to)), "l"(from) : "memory");
}
__device__ inline void await(uint64_t *bar)
{
    asm volatile("{\n.reg .pred p;\nAGAIN:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n"
                 "@p bra OVER;\nbra AGAIN;\nOVER:\n}" ::"r"(smem(bar))
                 : "memory");
}

__global__ void __launch_bounds__(64) row(const float *in, float *out)
{
    __shared__ alignas(16) float line[256];
    __shared__ uint64_t full;
    const int lane = threadIdx.x % 32;
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" ::"r"(smem(&full)) : "memory");
    __syncthreads();
    if (threadIdx.x < 32) {
        fetch(line + lane * 4, in + blockIdx.x * 256 + lane * 4);
        asm volatile("cp.async.mbarrier.arrive.shared::cta.b64 [%0];" // expect: tx-noinc
                     ::"r"(smem(&full))
                     : "memory");
    } else {
        fetch(line + 128 + lane * 4, in + blockIdx.x * 256 + 128 + lane * 4);
        asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(smem(&full))
                     : "memory");
    }
    await(&full);
    for (int i = threadIdx.x; i < 256; i += 64)
        out[blockIdx.x * 256 + i] = line[255 - i];
}

void launch(const float *in, float *out, int rows)
{
    row<<<rows, 64>>>(in, out);
}
