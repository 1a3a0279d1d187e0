// The next tile is copied over the last one while other warps may still read that.
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void sums(const float *in, float *out, int tiles)
{
    __shared__ alignas(16) float tile[128];
    __shared__ uint64_t full;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&full, 1);
    __syncthreads();
    float sum = 0.0f;
    for (int t = 0; t < tiles; ++t) {
        if (threadIdx.x == 0) {
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                           &full, sizeof(tile));
            ptx::cp_async_bulk( // expect: sync-missing
                ptx::space_cluster, ptx::space_global, tile, in + t * 128, sizeof(tile), &full);
        }
        while (!ptx::mbarrier_try_wait_parity(&full, t & 1))
            ;
        sum += tile[127 - threadIdx.x];
    }
    out[threadIdx.x] = sum;
}

void launch(const float *in, float *out, int tiles)
{
    sums<<<1, 128>>>(in, out, tiles);
}
