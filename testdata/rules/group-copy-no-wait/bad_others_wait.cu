// The warps that wait have copied nothing; the one that has does not wait.
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
    if (threadIdx.x < 32) {
        copy16(&tile[0][threadIdx.x * 4], in + threadIdx.x * 4); // expect: group-copy-no-wait
        commit();
    }
    __syncthreads();
    if (threadIdx.x >= 32)
        wait<0>();
    __syncthreads();
    out[threadIdx.x] = tile[0][127 - threadIdx.x];
}

void run(const float *in, float *out, int tiles)
{
    reverse<<<1, 128>>>(in, out, tiles);
}
