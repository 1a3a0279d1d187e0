// The next tile's copy starts as soon as its thread is done with the tile, not when all are.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cstdint>
#include <cuda/barrier>
#include <cuda/ptx>
#include <cuda_pipeline.h>
#include <utility>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

__global__ void by_bulk_copy(const int *in, int *out, int tiles)
{
    __shared__ alignas(16) int tile[256];
    __shared__ uint64_t full;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&full, 1);
    __syncthreads();
    for (int t = 0; t < tiles; ++t) {
        if (threadIdx.x == 0) {
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, 1024);
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in + t * 256, 1024, &full); // expect: sync-missing
        }
        while (!ptx::mbarrier_try_wait_parity(&full, t & 1)) {
        }
        out[t * 256 + threadIdx.x] = tile[255 - threadIdx.x];
    }
}

__global__ void by_group(const int *in, int *out, int tiles)
{
    __shared__ alignas(16) int tile[2][128];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, tile[0], in, sizeof(tile[0]));
    for (int t = 0; t < tiles; ++t) {
        cg::wait(block);
        if (t + 1 < tiles)
            cg::memcpy_async(block, tile[0], in + (t + 1) * 128, sizeof(tile[0]));
        out[t * 128 + threadIdx.x] = tile[1][127 - threadIdx.x];
        cg::memcpy_async(block, tile[1], in, sizeof(tile[1])); // expect: sync-missing
    }
    cg::wait(block);
}

__global__ void by_library(const int *in, int *out, int tiles)
{
    __shared__ alignas(16) int tile[192];
    __shared__ cuda::barrier<cuda::thread_scope_block> full;
    auto block = cg::this_thread_block();
    if (threadIdx.x == 0)
        init(&full, blockDim.x);
    __syncthreads();
    for (int t = 0; t < tiles; ++t) {
        cuda::memcpy_async(block, tile, in + t * 192, sizeof(tile), full); // expect: sync-missing
        auto token = full.arrive();
        full.wait(std::move(token));
        out[t * 192 + threadIdx.x] = tile[191 - threadIdx.x];
    }
}

__global__ void by_thread(const int4 *in, int4 *out, int tiles)
{
    __shared__ alignas(16) int4 tile[128];
    for (int t = 0; t < tiles; ++t) {
        __pipeline_memcpy_async(&tile[threadIdx.x], &in[t * 128 + threadIdx.x], sizeof(int4)); // expect: sync-missing
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        out[t * 128 + threadIdx.x] = tile[127 - threadIdx.x];
    }
}

void launch(const int *in, int *out, const int4 *wide, int4 *to, int tiles)
{
    by_bulk_copy<<<1, 256>>>(in, out, tiles);
    by_group<<<1, 128>>>(in, out, tiles);
    by_library<<<1, 192>>>(in, out, tiles);
    by_thread<<<1, 128>>>(wide, to, tiles);
}
