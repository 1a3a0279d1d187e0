// Under a bound or not: what is stored takes a fence.
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void gather(const int *__restrict__ in, const int *__restrict__ where, int *out,
                       int count)
{
    __shared__ alignas(16) int line[128];
    line[threadIdx.x] = 0;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x < count)
        line[threadIdx.x] = in[where[threadIdx.x]];
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk( // expect: tx-proxy-fence
            ptx::space_global, ptx::space_shared, out, line, sizeof(line));
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>{});
    }
}

void launch(const int *in, const int *where, int *out, int count)
{
    gather<<<1, 128>>>(in, where, out, count);
}
