// The thread that starts the copy waits for it, and the others go on without it.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void doubled(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ alignas(128) float tile[256];
    __shared__ uint64_t full;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&full, 1);
    __syncthreads();
    for (int t = 0; t < tiles; ++t) {
        if (threadIdx.x == 0) {
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                           &full, sizeof tile);
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in + t * 256,
                               sizeof tile, &full);
            while (!ptx::mbarrier_try_wait_parity(&full, t & 1)) {
            }
        }
        out[t * 256 + threadIdx.x] = 2 * tile[threadIdx.x]; // expect: tx-read-early
        __syncthreads();
    }
}

void run(const float *in, float *out, int tiles)
{
    doubled<<<1, 256>>>(in, out, tiles);
}
