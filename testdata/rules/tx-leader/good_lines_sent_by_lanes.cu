// Eight lanes send the finished lines out, one line each.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int LINES = 8, WORDS = 256;

__global__ void squares(const float *in, float *out, int parts)
{
    __shared__ alignas(128) float line[LINES][WORDS];
    for (int i = blockIdx.x; i < parts; i += gridDim.x) {
        float *to = out + (size_t)i * LINES * WORDS;
        if (threadIdx.x < LINES)
            ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>{});
        __syncthreads();
        for (int k = 0; k < LINES; ++k) {
            const float x = in[((size_t)i * LINES + k) * WORDS + threadIdx.x];
            line[k][threadIdx.x] = x * x;
        }
        ptx::fence_proxy_async(ptx::space_shared);
        __syncthreads();
        if (threadIdx.x < LINES) {
            ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, to + threadIdx.x * WORDS,
                               line[threadIdx.x], sizeof line[0]);
            ptx::cp_async_bulk_commit_group();
        }
    }
    if (threadIdx.x < LINES)
        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{});
}

void run(const float *in, float *out, int parts)
{
    squares<<<132, WORDS>>>(in, out, parts);
}
