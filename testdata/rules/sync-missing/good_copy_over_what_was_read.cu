// Everybody is done with a tile when its next copy starts.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cstdint>
#include <cuda/ptx>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

__device__ void load(int *to, const int *from, uint64_t *full)
{
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, full, 512);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, to, from, 512, full);
}

__device__ void wait(uint64_t *bar, uint32_t parity)
{
    while (!ptx::mbarrier_try_wait_parity(bar, parity)) {
    }
}

// A lane of each warp gives the buffer back.
__global__ void by_role(const int *in, int *out, int tiles)
{
    __shared__ alignas(16) int tile[2][128];
    __shared__ uint64_t full[2], empty[2];
    if (threadIdx.x < 2) {
        ptx::mbarrier_init(&full[threadIdx.x], 1);
        ptx::mbarrier_init(&empty[threadIdx.x], 4);
    }
    __syncthreads();
    if (threadIdx.x >= 128) {
        for (int t = 0; t < tiles && threadIdx.x == 128; ++t) {
            wait(&empty[t & 1], (t >> 1 & 1) ^ 1);
            load(tile[t & 1], in + t * 128, &full[t & 1]);
        }
    } else {
        for (int t = 0; t < tiles; ++t) {
            wait(&full[t & 1], t >> 1 & 1);
            out[t * 128 + threadIdx.x] = tile[t & 1][127 - threadIdx.x];
            __syncwarp();
            if (threadIdx.x % 32 == 0)
                ptx::mbarrier_arrive(&empty[t & 1]);
        }
    }
}

__global__ void by_block(const int *in, int *out, int tiles)
{
    __shared__ alignas(16) int tile[128];
    __shared__ uint64_t full;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&full, 1);
    __syncthreads();
    for (int t = 0; t < tiles; ++t) {
        if (threadIdx.x == 0)
            load(tile, in + t * 128, &full);
        wait(&full, t & 1);
        out[t * 128 + threadIdx.x] = tile[127 - threadIdx.x];
        __syncthreads();
    }
}

// Three buffers: the barrier of the next round lies between.
__global__ void by_round(const int4 *in, int4 *out, int tiles)
{
    __shared__ alignas(16) int4 tile[3][128];
    __pipeline_memcpy_async(&tile[0][threadIdx.x], &in[threadIdx.x], sizeof(int4));
    __pipeline_commit();
    for (int t = 0; t < tiles; ++t) {
        if (t + 1 < tiles)
            __pipeline_memcpy_async(&tile[(t + 1) % 3][threadIdx.x], &in[(t + 1) * 128 + threadIdx.x], sizeof(int4));
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        out[t * 128 + threadIdx.x] = tile[t % 3][127 - threadIdx.x];
    }
}

// Each warp has a tile of its own.
__global__ void by_warp(const int *in, int *out, int tiles)
{
    __shared__ alignas(16) int tile[4][32];
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int *mine = tile[warp.meta_group_rank()];
    for (int t = 0; t < tiles; ++t) {
        cg::memcpy_async(warp, mine, in + t * 128 + warp.meta_group_rank() * 32, 32 * sizeof(int));
        cg::wait(warp);
        out[t * 128 + threadIdx.x] = mine[31 - warp.thread_rank()];
        warp.sync();
    }
}

void launch(const int *in, int *out, const int4 *wide, int4 *to, int tiles)
{
    by_role<<<1, 160>>>(in, out, tiles);
    by_block<<<1, 128>>>(in, out, tiles);
    by_round<<<1, 128>>>(wide, to, tiles);
    by_warp<<<1, 128>>>(in, out, tiles);
}
