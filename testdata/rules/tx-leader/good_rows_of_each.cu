// Each of the leaders copies its own row; and one of each block copies the block's tile.
#include <cuda/barrier>
#include <cuda/ptx>

using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace ptx = cuda::ptx;

__global__ void rows(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ alignas(16) float tile[4][128];
    __shared__ barrier filled;
    if (threadIdx.x == 0)
        init(&filled, blockDim.x);
    __syncthreads();
    barrier::arrival_token token;
    const int warp = threadIdx.x / 32;
    if (threadIdx.x % 32 == 0) {
        cuda::device::memcpy_async_tx(tile[warp], in + (blockIdx.x * 4 + warp) * 128,
                                      cuda::aligned_size_t<16>(sizeof(tile[0])), filled);
        token = cuda::device::barrier_arrive_tx(filled, 1, sizeof(tile[0]));
    } else {
        token = filled.arrive();
    }
    filled.wait(std::move(token));
    out[blockIdx.x * blockDim.x + threadIdx.x] = tile[3 - warp][threadIdx.x % 32];
}

// Every block of the cluster has a tile of its own, at the same place of its shared memory.
__global__ void __cluster_dims__(2, 1, 1) tiles(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ alignas(16) float tile[128];
    __shared__ uint64_t filled;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&filled, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &filled, sizeof(tile));
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in + blockIdx.x * 128, sizeof(tile), &filled);
    }
    while (!ptx::mbarrier_try_wait_parity(&filled, 0)) {
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = tile[127 - threadIdx.x];
}

void launch(const float *in, float *out)
{
    rows<<<8, 128>>>(in, out);
    tiles<<<8, 128>>>(in, out);
}
