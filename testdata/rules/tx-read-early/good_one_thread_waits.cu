// One thread waits for the copy: the first of the block, of which a barrier of the block tells the
// others; and the first lane of a warp, which then meets the other lanes.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__device__ void fetch(float *tile, const float *from, uint32_t bytes, uint64_t *full)
{
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, full,
                                   bytes);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, from, bytes, full);
}

__device__ void wait(uint64_t *full, int parity)
{
    while (!ptx::mbarrier_try_wait_parity(full, parity)) {
    }
}

__global__ void doubled(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ alignas(128) float tile[256];
    __shared__ uint64_t full;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&full, 1);
    __syncthreads();
    for (int t = 0; t < tiles; ++t) {
        if (threadIdx.x == 0) {
            fetch(tile, in + t * 256, sizeof tile, &full);
            wait(&full, t & 1);
        }
        __syncthreads();
        out[t * 256 + threadIdx.x] = 2 * tile[threadIdx.x];
        __syncthreads();
    }
}

__global__ void doubled_by_warps(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ alignas(128) float tile[8][32];
    __shared__ uint64_t full[8];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (lane == 0)
        ptx::mbarrier_init(&full[warp], 1);
    __syncwarp();
    if (lane == 0) {
        fetch(tile[warp], in + warp * 32, sizeof tile[0], &full[warp]);
        wait(&full[warp], 0);
    }
    __syncwarp();
    out[threadIdx.x] = 2 * tile[warp][31 - lane];
}

void run(const float *in, float *out, int tiles)
{
    doubled<<<1, 256>>>(in, out, tiles);
    doubled_by_warps<<<1, 256>>>(in, out);
}
