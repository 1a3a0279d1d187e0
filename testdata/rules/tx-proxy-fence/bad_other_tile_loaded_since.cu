// A copy into one tile makes nothing known of the other, which threads stored themselves.
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void doubled(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ alignas(128) float tile[256], result[256];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    result[threadIdx.x] = 0.0f;
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full,
                                       sizeof tile);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in + blockIdx.x * 256,
                           sizeof tile, &full);
    }
    while (!ptx::mbarrier_try_wait_parity(&full, 0)) {
    }
    out[blockIdx.x * 256 + threadIdx.x] = tile[threadIdx.x] * 2.0f;
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, // expect: tx-proxy-fence
                           out + (gridDim.x + blockIdx.x) * 256, result, sizeof result);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>{});
    }
}

void run(const float *in, float *out)
{
    doubled<<<64, 256>>>(in, out);
}
