// No clobber where copies are waited for: between there and the first use of the data stands a
// barrier that the compiler knows, on the way into the loop and at its end.
#include <cstdint>

__device__ inline uint32_t smem(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__device__ inline void fetch(void *to, const float *from)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\n" ::"r"(smem(to)), "l"(from));
    asm volatile("cp.async.commit_group;\n");
}

__device__ inline void fetched()
{
    asm volatile("cp.async.wait_group 0;\n");
}

__global__ void mirror(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ float tile[2][128];
    fetch(&tile[0][threadIdx.x], in + threadIdx.x);
    fetched();
    __syncthreads();
    for (int t = 1; t < tiles; ++t) {
        fetch(&tile[t & 1][threadIdx.x], in + t * 128 + threadIdx.x);
        out[t * 128 - 128 + threadIdx.x] = tile[(t - 1) & 1][127 - threadIdx.x];
        fetched();
        __syncthreads();
    }
    out[tiles * 128 - 128 + threadIdx.x] = tile[(tiles - 1) & 1][127 - threadIdx.x];
}

void run(const float *in, float *out, int tiles)
{
    mirror<<<1, 128>>>(in, out, tiles);
}
