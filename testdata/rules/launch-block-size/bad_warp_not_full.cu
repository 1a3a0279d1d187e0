// Forty-eight threads load matrices by whole warps.
#include <cstdint>

__device__ inline uint32_t smem(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__global__ void load(const uint32_t *__restrict__ in, uint32_t *__restrict__ out)
{
    __shared__ alignas(16) uint32_t tile[192];
    for (int k = threadIdx.x; k < 192; k += blockDim.x)
        tile[k] = in[k];
    __syncthreads();
    uint32_t r;
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
                 : "=r"(r)
                 : "r"(smem(&tile[threadIdx.x * 4])));
    out[threadIdx.x] = r;
}

void run(const uint32_t *in, uint32_t *out)
{
    load<<<16, 48>>>(in, out); // expect: launch-block-size
}
