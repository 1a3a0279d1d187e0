// All have written and fenced before one of them copies the tile out: behind a barrier of the block,
// or of the warps that write.
#include <cstdint>
#include <cuda/ptx>
#include <cuda_runtime.h>

namespace ptx = cuda::ptx;

__global__ void squares(const float *in, float *out)
{
    __shared__ alignas(128) float tile[512];
    for (int i = threadIdx.x; i < 512; i += blockDim.x)
        tile[i] = in[blockIdx.x * 512 + i] * in[blockIdx.x * 512 + i];
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + blockIdx.x * 512, tile,
                           sizeof(tile));
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
    }
}

__global__ void doubled(const float *in, float *out, int rows)
{
    extern __shared__ alignas(128) float row[];
    for (int r = blockIdx.x; r < rows; r += gridDim.x) {
        row[threadIdx.x] = 2 * in[r * 256 + threadIdx.x];
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        asm volatile("bar.sync 1, 256;" ::: "memory");
        if (threadIdx.x / 32 == 3 && threadIdx.x % 32 == 0) {
            uint32_t from = static_cast<uint32_t>(__cvta_generic_to_shared(row));
            asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;"
                         :
                         : "l"(out + r * 256), "r"(from), "n"(1024)
                         : "memory");
            asm volatile("cp.async.bulk.commit_group;");
            asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
        }
        __syncthreads();
    }
}

void run(const float *in, float *out, int rows)
{
    squares<<<rows, 128>>>(in, out);
    doubled<<<132, 256, 1024>>>(in, out, rows);
}
