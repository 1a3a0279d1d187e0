// pedantic: the block ends while a bulk store still reads its shared memory.
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void send(const int *in, int *out)
{
    __shared__ alignas(16) int line[128];
    line[threadIdx.x] = in[threadIdx.x];
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, line, sizeof(line)); // expect: exit-inflight
        ptx::cp_async_bulk_commit_group();
    }
}

void launch(const int *in, int *out)
{
    send<<<1, 128>>>(in, out);
}
