// Two warps write the row, in no order, and only the second one fences: what is sent may be what the
// first one has written.
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void send(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ alignas(16) float row[32];
    const int lane = threadIdx.x % 32;
    if (threadIdx.x < 32)
        row[lane] = in[lane];
    if (threadIdx.x >= 32) {
        row[lane] = 2.0f * in[lane];
        ptx::fence_proxy_async(ptx::space_shared);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, row, // expect: tx-proxy-fence
                           sizeof(row));
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
    }
}

void launch(const float *in, float *out)
{
    send<<<1, 64>>>(in, out);
}
