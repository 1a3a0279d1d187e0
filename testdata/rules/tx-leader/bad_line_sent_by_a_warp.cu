// The first warp sends the finished line out: all of its lanes do, although one store carries it.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void squares(const float *in, float *out, int lines)
{
    __shared__ alignas(128) float line[256];
    for (int i = blockIdx.x; i < lines; i += gridDim.x) {
        const float x = in[i * 256 + threadIdx.x];
        if (threadIdx.x < 32)
            ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>{});
        __syncthreads();
        line[threadIdx.x] = x * x;
        ptx::fence_proxy_async(ptx::space_shared);
        __syncthreads();
        if (threadIdx.x < 32) {
            ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + i * 256, line, // expect: tx-leader
                               sizeof line);
            ptx::cp_async_bulk_commit_group();
        }
    }
    if (threadIdx.x < 32)
        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{});
}

void run(const float *in, float *out, int lines)
{
    squares<<<132, 256>>>(in, out, lines);
}
