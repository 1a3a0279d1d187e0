// What the threads computed goes through shared memory to the next multiplication: the barrier
// orders the threads, and nothing tells the asynchronous proxy of their stores.
#include <cstdint>

__device__ inline uint64_t descriptor(const void *tile)
{
    const uint64_t address = static_cast<uint32_t>(__cvta_generic_to_shared(tile));
    return (address & 0x3ffff) >> 4 | uint64_t(8) << 16 | uint64_t(16) << 32;
}

__device__ inline void multiply(float (&sum)[4], uint64_t a, uint64_t b)
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 " // expect: tx-proxy-fence
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
    if (threadIdx.x < 64)
        right[threadIdx.x] = in[512 + threadIdx.x];
    __syncthreads();
    multiply(sum, descriptor(left), descriptor(right));
    for (int i = 0; i < 4; ++i)
        out[i * 128 + threadIdx.x] = sum[i];
}

void run(const uint32_t *in, float *out)
{
    scores<<<1, 128>>>(in, out);
}
