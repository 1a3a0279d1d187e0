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
    const int tid = threadIdx.x;
    for (int s = 0; s < 2; ++s) {
        if (s < tiles)
            copy16(&tile[s][tid * 4], in + s * 512 + tid * 4);
        commit();
    }
    for (int t = 0; t < tiles; ++t) {
        wait<1>();
        __syncthreads();
        for (int k = 0; k < 4; ++k)
            out[t * 512 + k * 128 + tid] = tile[t % 3][511 - k * 128 - tid];
        if (t + 2 < tiles)
            copy16(&tile[(t + 2) % 3][tid * 4], in + (t + 2) * 512 + tid * 4);
        commit();
    }
}

void run(const float *in, float *out, int tiles)
{
    reverse<<<1, 128>>>(in, out, tiles);
}
