#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__device__ void announce(uint64_t *barrier, uint32_t bytes)
{
    ptx::mbarrier_expect_tx(ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared, barrier, bytes);
}

__device__ void fetch(void *to, const void *from, uint32_t bytes, uint64_t *barrier)
{
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, to, from, bytes, barrier);
}

__device__ void wait(uint64_t *barrier, uint32_t parity)
{
    while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
    }
}

// The second warp fetches, the first one arrives for it, and knows that it has announced: by a
// barrier of the two, then by an mbarrier. The last phase cannot end without copies that come after
// the announcement.
__global__ void __launch_bounds__(64)
    three(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ alignas(128) float tile[256];
    __shared__ uint64_t full, announced;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::mbarrier_init(&announced, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    if (threadIdx.x == 32) {
        announce(&full, sizeof(tile));
        fetch(tile, in, sizeof(tile), &full);
    }
    asm volatile("bar.sync 1, 64;" ::: "memory");
    if (threadIdx.x == 0)
        ptx::mbarrier_arrive(&full);
    wait(&full, 0);
    out[threadIdx.x] = tile[255 - threadIdx.x];
    __syncthreads();

    if (threadIdx.x == 32) {
        announce(&full, sizeof(tile));
        fetch(tile, in + 256, sizeof(tile), &full);
        ptx::mbarrier_arrive(&announced);
    }
    if (threadIdx.x == 0) {
        wait(&announced, 0);
        ptx::mbarrier_arrive(&full);
    }
    wait(&full, 1);
    out[64 + threadIdx.x] = tile[255 - threadIdx.x];
    __syncthreads();

    if (threadIdx.x == 32) {
        announce(&full, sizeof(tile) / 2);
        fetch(tile, in + 512, sizeof(tile) / 2, &full);
        fetch(tile + 128, in + 640, sizeof(tile) / 2, &full);
    }
    if (threadIdx.x == 0)
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full,
                                       sizeof(tile) / 2);
    wait(&full, 0);
    out[128 + threadIdx.x] = tile[255 - threadIdx.x];
}

void run(const float *in, float *out)
{
    three<<<1, 64>>>(in, out);
}
