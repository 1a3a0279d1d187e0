#include <cstdint>

__device__ inline uint32_t smem(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}
__device__ inline void copy16(void *to, const void *from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(smem(to)), "l"(from) : "memory");
}
__device__ inline void commit()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}
template <int Open>
__device__ inline void wait()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(Open) : "memory");
}

__global__ void reverse(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ alignas(16) float tile[3][512];
    for (int t = 0; t < tiles; ++t) {
        copy16(&tile[0][threadIdx.x * 4], in + t * 512 + threadIdx.x * 4);
        asm volatile("cp.async.wait_all;" ::: "memory");
        __syncthreads();
        for (int i = threadIdx.x; i < 512; i += 128)
            out[t * 512 + i] = tile[0][511 - i];
        __syncthreads();
    }
}

void run(const float *in, float *out, int tiles)
{
    reverse<<<1, 128>>>(in, out, tiles);
}
