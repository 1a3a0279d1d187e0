// Two warpgroups store side by side and meet each at a barrier of its own; the first one alone makes
// its stores known to the asynchronous proxy.
#include <cstdint>

__device__ inline uint64_t descriptor(const void *tile)
{
    const uint64_t address = static_cast<uint32_t>(__cvta_generic_to_shared(tile));
    return (address & 0x3ffff) >> 4 | uint64_t(8) << 16 | uint64_t(16) << 32;
}

__device__ inline void multiply(float (&sum)[4], uint64_t a, uint64_t b)
{
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
                 "{%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "l"(a), "l"(b));
}

__global__ void __launch_bounds__(256) products(const uint32_t *__restrict__ in,
                                                float *__restrict__ out)
{
    __shared__ alignas(128) uint32_t left[2][64 * 8];
    __shared__ alignas(128) uint32_t right[2][4][8 * 8];
    const int group = threadIdx.x / 128, at = threadIdx.x % 128;
    float sum[4] = {};
    for (int i = 0; i < 4; ++i)
        left[group][i * 128 + at] = in[i * 256 + threadIdx.x];
    for (int i = 0; i < 2; ++i)
        right[group][at / 32][at % 32 * 2 + i] = in[1024 + 2 * threadIdx.x + i];
    asm volatile("bar.sync %0, 128;" ::"r"(group + 1) : "memory");
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    if (group == 0)
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    for (int k = 0; k < 4; ++k)
        multiply(sum, descriptor(left[group]), descriptor(right[group][k])); // expect: tx-proxy-fence
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (int i = 0; i < 4; ++i)
        out[i * 256 + threadIdx.x] = sum[i];
}

void run(const uint32_t *in, float *out)
{
    products<<<1, 256>>>(in, out);
}
