// pedantic: the memory model has the issuing thread's fence on the way from every writer's stores
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void negate(const int *in, int *out)
{
    __shared__ alignas(16) int line[128];
    line[threadIdx.x] = -in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::fence_proxy_async(ptx::space_shared);
        ptx::cp_async_bulk( // expect: tx-proxy-fence
            ptx::space_global, ptx::space_shared, out, line, sizeof(line));
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>{});
    }
}

void launch(const int *in, int *out)
{
    negate<<<1, 128>>>(in, out);
}
