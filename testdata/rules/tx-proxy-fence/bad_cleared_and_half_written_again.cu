// Another warp clears the sums. Only the first half is written again by threads that fence: of the
// zeros in the other half the proxy that sends them has not been told.
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void sums(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ alignas(16) float sum[32];
    const int lane = threadIdx.x % 32;
    if (threadIdx.x >= 32 && threadIdx.x < 64)
        sum[lane] = 0.0f;
    __syncthreads();
    if (threadIdx.x >= 32)
        return;
    if (lane < 16) {
        sum[lane] = in[blockIdx.x * 16 + lane];
        ptx::fence_proxy_async(ptx::space_shared);
    }
    __syncwarp();
    if (lane == 0) {
        ptx::cp_async_bulk( // expect: tx-proxy-fence
            ptx::space_global, ptx::space_shared, out + blockIdx.x * 32, sum, sizeof(sum));
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
    }
}

void run(const float *in, float *out, int blocks)
{
    sums<<<blocks, 64>>>(in, out);
}
