// The helper asks the barrier to follow the thread's copies before it starts them: the phase ends
// with the arrivals, and nobody waits for what is under way.
#include <cstdint>
#include <cuda_runtime.h>

struct tile_loader {
    uint64_t *full;
    __device__ void load(float4 *to, const float4 *from) const
    {
        asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(smem(full))
                     : "memory");
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" // expect: tx-noinc
                     ::"r"(smem(to)),
                     "l"(from)
                     : "memory");
    }
    static __device__ unsigned smem(const void *p)
    {
        return static_cast<unsigned>(__cvta_generic_to_shared(p));
    }
};

__global__ void mirror(const float4 *in, float4 *out)
{
    __shared__ float4 tile[96];
    __shared__ uint64_t full;
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 96;" ::"r"(tile_loader::smem(&full))
                     : "memory");
    __syncthreads();
    tile_loader loader{&full};
    loader.load(&tile[threadIdx.x], &in[blockIdx.x * 96 + threadIdx.x]);
    unsigned over = 0;
    while (!over)
        asm volatile(
            "{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n\t"
            "selp.u32 %0, 1, 0, p;\n\t}"
            : "=r"(over)
            : "r"(tile_loader::smem(&full))
            : "memory");
    out[blockIdx.x * 96 + threadIdx.x] = tile[95 - threadIdx.x];
}

void run(const float4 *in, float4 *out, int blocks)
{
    mirror<<<blocks, 96>>>(in, out);
}
