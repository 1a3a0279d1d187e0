// Half of the second warpgroup has left before the product.
#include <cstdint>
#include <cuda_runtime.h>

__device__ uint64_t descriptor(const void *tile)
{
    const uint64_t at = __cvta_generic_to_shared(tile);
    return (at & 0x3FFFF) >> 4 | 1ull << 16 | 8ull << 32;
}

__global__ void __launch_bounds__(256) product(const uint4 *in, float *out)
{
    __shared__ alignas(128) uint4 a[128], b[16];
    if (threadIdx.x < 128)
        a[threadIdx.x] = in[threadIdx.x];
    if (threadIdx.x < 16)
        b[threadIdx.x] = in[128 + threadIdx.x];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x >= 192)
        return;
    float c[4] = {};
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); // expect: warp-warpgroup
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "setp.ne.b32 p, 1, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 "
                 "{%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, 0;\n"
                 "}"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "l"(descriptor(a)), "l"(descriptor(b)));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    out[threadIdx.x] = c[0] + c[1] + c[2] + c[3];
}

void run(const uint4 *in, float *out)
{
    product<<<4, 256>>>(in, out);
}
