// The issuing thread waits until the line has been read, and the block for that thread.
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void twice(const int *in, int *out)
{
    __shared__ alignas(16) int line[64];
    line[threadIdx.x] = in[threadIdx.x];
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, line, sizeof(line));
        ptx::cp_async_bulk_commit_group();
    }
    if (threadIdx.x == 0)
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>{});
    __syncthreads();
    line[threadIdx.x] = 2 * in[threadIdx.x];
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + 64, line, sizeof(line));
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>{});
    }
}

void run(const int *in, int *out)
{
    twice<<<1, 64>>>(in, out);
}
