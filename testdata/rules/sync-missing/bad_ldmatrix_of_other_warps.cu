// ldmatrix reads a row of 16 bytes for each lane, here of rows that other warps store.
#include <cstdint>
#include <cuda_runtime.h>

__device__ uint4 matrices(const uint4 *row)
{
    uint4 r;
    const uint32_t at = (uint32_t)__cvta_generic_to_shared(row);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r.x), "=r"(r.y), "=r"(r.z), "=r"(r.w)
                 : "r"(at)
                 : "memory");
    return r;
}

__global__ void shifted(const uint4 *in, uint4 *out, int tiles)
{
    __shared__ uint4 tile[128];
    const int t = threadIdx.x;
    for (int i = 0; i < tiles; ++i) {
        tile[t] = in[i * 128 + t]; // expect: sync-missing
        __syncthreads();
        out[i * 128 + t] = matrices(&tile[(t + 32) % 128]);
    }
}

void launch(const uint4 *in, uint4 *out, int tiles)
{
    shifted<<<1, 128>>>(in, out, tiles);
}
