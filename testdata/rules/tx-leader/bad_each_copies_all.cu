// Announcements, arrivals and copies agree; each leader of a warp copies the whole tile anew.
#include <cuda/barrier>
#include <cuda/ptx>

using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace ptx = cuda::ptx;

__global__ void blur(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ alignas(16) float tile[512];
    __shared__ barrier filled;
    if (threadIdx.x == 0)
        init(&filled, blockDim.x);
    __syncthreads();
    barrier::arrival_token token;
    if (threadIdx.x % 32 == 0) {
        cuda::device::memcpy_async_tx( // expect: tx-leader
            tile, in + blockIdx.x * 512, cuda::aligned_size_t<16>(sizeof(tile)), filled);
        token = cuda::device::barrier_arrive_tx(filled, 1, sizeof(tile));
    } else {
        token = filled.arrive();
    }
    filled.wait(std::move(token));
    out[blockIdx.x * blockDim.x + threadIdx.x] = tile[threadIdx.x] + tile[511 - threadIdx.x];
}

__global__ void blur_ptx(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ alignas(16) float tile[512];
    __shared__ uint64_t filled;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&filled, 4);
    __syncthreads();
    if (threadIdx.x < 4) {
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &filled, sizeof(tile));
        ptx::cp_async_bulk( // expect: tx-leader
            ptx::space_cluster, ptx::space_global, tile, in + blockIdx.x * 512, sizeof(tile), &filled);
    }
    while (!ptx::mbarrier_try_wait_parity(&filled, 0)) {
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = tile[threadIdx.x] + tile[511 - threadIdx.x];
}

void launch(const float *in, float *out)
{
    blur<<<8, 128>>>(in, out);
    blur_ptx<<<8, 128>>>(in, out);
}
