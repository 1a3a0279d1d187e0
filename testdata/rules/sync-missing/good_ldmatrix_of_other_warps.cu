// The same with a barrier behind what the warps read, and a tile for each warp alone.
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
        tile[t] = in[i * 128 + t];
        __syncthreads();
        out[i * 128 + t] = matrices(&tile[(t + 32) % 128]);
        __syncthreads();
    }
}

__global__ void turned(const uint4 *in, uint4 *out, int tiles)
{
    __shared__ uint4 tile[128];
    const int t = threadIdx.x;
    for (int i = 0; i < tiles; ++i) {
        tile[t] = in[i * 128 + t];
        __syncwarp();
        out[i * 128 + t] = matrices(&tile[t ^ 7]);
        __syncwarp();
    }
}

void launch(const uint4 *in, uint4 *out, int tiles)
{
    turned<<<1, 128>>>(in, out, tiles);
    shifted<<<1, 128>>>(in, out, tiles);
}
