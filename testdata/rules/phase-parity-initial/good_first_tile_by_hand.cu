// The first tile is stored by everybody before the roles part: the consumers do not wait for it,
// and the producers begin with the second. The parity of the consumers starts at 1 on purpose.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__device__ inline void wait(uint64_t *barrier, uint32_t parity)
{
    while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
    }
}

__global__ void running(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ alignas(16) float tile[128];
    __shared__ uint64_t full, empty;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::mbarrier_init(&empty, 128);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    if (threadIdx.x < 128)
        tile[threadIdx.x] = in[threadIdx.x];
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x < 128) {
        float sum = 0.0f;
        for (int t = 0; t < tiles; ++t) {
            wait(&full, (t & 1) ^ 1);
            sum += tile[127 - threadIdx.x];
            ptx::mbarrier_arrive(&empty);
        }
        out[threadIdx.x] = sum;
    } else if (threadIdx.x == 128) {
        for (int t = 1; t < tiles; ++t) {
            wait(&empty, (t & 1) ^ 1);
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                           &full, 512);
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in + t * 128, 512,
                               &full);
        }
    }
}

void run(const float *in, float *out, int tiles)
{
    running<<<1, 160>>>(in, out, tiles);
}
