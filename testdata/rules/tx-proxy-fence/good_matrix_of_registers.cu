// The writers make what they computed known to the asynchronous proxy; a second tile is fenced by
// all who read it, behind the barrier.
#include <cstdint>

union matrix {
    uint64_t bits;
    struct {
        uint16_t start : 14, : 2;
        uint16_t leading : 14, : 2;
        uint16_t stride : 14, : 2;
        uint8_t : 1, offset : 3, : 4;
        uint8_t : 6, swizzle : 2;
    } field;
};

__device__ inline uint64_t descriptor(const void *tile)
{
    matrix it;
    it.bits = 0;
    it.field.start = static_cast<uint16_t>(static_cast<uint32_t>(__cvta_generic_to_shared(tile)) >> 4);
    it.field.leading = 8;
    it.field.stride = 16;
    return it.bits;
}

__device__ inline void multiply(float (&sum)[4], uint64_t a, uint64_t b)
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
                 "{%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "l"(a), "l"(b));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}

__global__ void __launch_bounds__(128) scores(const uint32_t *__restrict__ in,
                                              float *__restrict__ out)
{
    __shared__ alignas(128) uint32_t left[64 * 8];
    __shared__ alignas(128) uint32_t right[8 * 8];
    float sum[4] = {};
    for (int i = 0; i < 4; ++i)
        left[i * 128 + threadIdx.x] = in[i * 128 + threadIdx.x];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    if (threadIdx.x < 64)
        right[threadIdx.x] = in[512 + threadIdx.x];
    __syncthreads();
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    multiply(sum, descriptor(left), descriptor(right));
    for (int i = 0; i < 4; ++i)
        out[i * 128 + threadIdx.x] = sum[i];
}

void run(const uint32_t *in, float *out)
{
    scores<<<1, 128>>>(in, out);
}
