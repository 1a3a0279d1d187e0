#include <cstdint>

__device__ inline uint32_t smem(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}
__device__ inline void store_line(void *to, const void *from, uint32_t bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to),
                 "r"(smem(from)), "r"(bytes)
                 : "memory");
}
__device__ inline void commit()
{
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
__device__ inline void wait_read()
{
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}
__device__ inline void fence_view_async()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

__global__ void scale(const float *__restrict__ in, float *__restrict__ out, int lines)
{
    __shared__ alignas(128) float line[2][256];
    for (int l = 0; l < lines; ++l) {
        line[0][threadIdx.x] = in[l * 256 + threadIdx.x] * 2.0f; // expect: tx-source-reuse
        fence_view_async();
        __syncthreads();
        if (threadIdx.x == 0) {
            store_line(out + l * 256, line[0], sizeof(line[0]));
            wait_read(); // expect: tx-source-reuse
        }
        __syncthreads();
    }
}

void run(const float *in, float *out, int lines)
{
    scale<<<1, 256>>>(in, out, lines);
}
