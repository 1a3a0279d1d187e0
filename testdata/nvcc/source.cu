// What a source may do with barriers, in CUDA's own spellings. Compiled with <barlint/runtime_check.cuh>
// before it, every operation marked with `check: HOOK` calls that hook with its line.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/ptx>
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>
#include <utility>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

struct stage {
    block_barrier full, empty;
};

__device__ void by_reference(block_barrier &bar)
{
    block_barrier::arrival_token token = bar.arrive(); // check: mbarrier
    bar.wait(std::move(token));                        // check: waited
}

__global__ void library(float *out, int n)
{
    __shared__ stage ring[2];
    __shared__ alignas(16) float tile[256];
    block_barrier *bar = &ring[0].full;
    if (threadIdx.x == 0) {
        init(bar, blockDim.x);              // check: mbarrier
        init(&ring[0].empty, blockDim.x);   // check: mbarrier
        new (&ring[1].full) block_barrier(blockDim.x); // check: mbarrier
        cuda::device::barrier_native_handle(*bar);
    }
    __syncthreads(); // check: named
    by_reference(*bar);
    bar->arrive_and_wait();                                 // check: mbarrier waited
    (void)ring[0].empty.arrive(2);                          // check: mbarrier
    while (!bar->try_wait_parity_for(false, cuda::std::chrono::nanoseconds(100))) { // check: waited
    }
    while (!bar->try_wait_for(bar->arrive(), cuda::std::chrono::nanoseconds(100))) { // check: waited
    }
    cuda::memcpy_async(cg::this_thread_block(), tile, out, sizeof tile, *bar); // check: mbarrier
    cuda::memcpy_async(tile + threadIdx.x, out, cuda::aligned_size_t<4>(4), *bar); // check: mbarrier
    if (threadIdx.x == 0) {
        cuda::device::memcpy_async_tx(tile, out, cuda::aligned_size_t<16>(1024), *bar); // check: mbarrier
        (void)cuda::device::barrier_arrive_tx(*bar, 1, 1024); // check: mbarrier
        cuda::device::barrier_expect_tx(*bar, 16); // check: mbarrier
    }
    bar->arrive_and_drop(); // check: mbarrier
    bar->wait_parity(true);  // check: waited
    bar->~block_barrier();
    cuda::barrier<cuda::thread_scope_device> *other = nullptr;
    if (n > 100)
        other->arrive_and_wait();
    out[threadIdx.x] = tile[threadIdx.x] + __syncthreads_count(n) + // check: named
                       __syncthreads_and(n) +                       // check: named
                       __syncthreads_or(n);                         // check: named
}

__global__ void instructions(float *out, int n)
{
    __shared__ uint64_t bar, other;
    __shared__ alignas(16) float tile[256];
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&bar, 32);                                                     // check: mbarrier
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);                   // check: fence
        ptx::mbarrier_init(&other, 32);                                                   // check: mbarrier
        ptx::mbarrier_expect_tx(ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared, &bar, 16); // check: mbarrier
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, 1024); // check: mbarrier
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, out, 1024, &bar); // check: mbarrier
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, tile, 1024);
    }
    ptx::barrier_cluster_arrive(ptx::sem_relaxed); // check: cluster
    ptx::barrier_cluster_wait();                   // check: cluster
    ptx::barrier_cluster_arrive();                 // check: cluster
    ptx::barrier_cluster_wait(ptx::sem_acquire);   // check: cluster
    uint64_t token = ptx::mbarrier_arrive(&other); // check: mbarrier
    token += ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &other, 2u); // check: mbarrier
    ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster, &other); // check: mbarrier
    ptx::mbarrier_arrive_no_complete(&other, 1);   // check: mbarrier
    ptx::cp_async_mbarrier_arrive(&other);         // check: mbarrier
    ptx::cp_async_mbarrier_arrive_noinc(&other);   // check: mbarrier
    ptx::st_async(&n, n, &other);                  // check: mbarrier
    int several[2] = {n, n};
    ptx::st_async(&n, several, &other); // check: mbarrier
    while (!ptx::mbarrier_test_wait(&other, token)) { // check: waited
    }
    while (!ptx::mbarrier_try_wait(ptx::sem_acquire, ptx::scope_cta, &other, token)) { // check: waited
    }
    while (!ptx::mbarrier_try_wait_parity(&other, n & 1, 1000)) { // check: waited
    }
    while (!ptx::mbarrier_test_wait_parity(&other, 1)) { // check: waited
    }
    out[threadIdx.x] = tile[threadIdx.x];
}

__global__ void primitives(int n)
{
    __shared__ __mbarrier_t bar;
    if (threadIdx.x == 0)
        __mbarrier_init(&bar, blockDim.x); // check: mbarrier
    __barrier_sync(0);                     // check: named
    __mbarrier_token_t token = __mbarrier_arrive(&bar); // check: mbarrier
    while (!__mbarrier_test_wait(&bar, token)) {        // check: waited
    }
    __pipeline_arrive_on(&bar);                         // check: mbarrier
    while (!__mbarrier_try_wait_parity(&bar, n & 1, 100)) { // check: waited
    }
    if (__mbarrier_token_pending_count(token) > 3)
        __mbarrier_arrive_and_drop(&bar); // check: mbarrier
    __barrier_sync_count(1, 64);          // check: named
    if (threadIdx.x == 0)
        __mbarrier_inval(&bar); // check: mbarrier
}

__device__ float sum(cg::thread_group group, float *memory, float value)
{
    for (int i = group.size() / 2; i > 0; i /= 2) {
        memory[group.thread_rank()] = value;
        group.sync(); // check: calling
        if (group.thread_rank() < i)
            value += memory[group.thread_rank() + i];
        group.sync(); // check: calling
    }
    return value;
}

template <class Group> __device__ void meet(const Group &group)
{
    cg::sync(group); // check: calling
}

__global__ void __cluster_dims__(2, 1, 1) groups(float *out, int n)
{
    __shared__ float memory[256];
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<32>(block);
    cg::thread_block_tile<8, cg::thread_block_tile<32, cg::thread_block>> small =
        cg::tiled_partition<8>(tile);
    cg::thread_block_tile<32> any = cg::tiled_partition<32>(block);
    auto few = cg::binary_partition(tile, n > 3);
    block.sync(); // check: calling
    tile.sync();  // check: calling
    small.sync(); // check: calling
    any.sync();   // check: calling
    few.sync();   // check: calling
    meet(block);
    meet(tile);
    cg::sync(cg::this_grid()); // check: calling
    cg::coalesced_group here = cg::coalesced_threads();
    here.sync(); // check: calling
    cg::cluster_group cluster = cg::this_cluster();
    auto token = cluster.barrier_arrive();  // check: calling
    cluster.barrier_wait(std::move(token)); // check: calling
    cluster.sync();                         // check: calling
    auto later = block.barrier_arrive();
    block.barrier_wait(std::move(later)); // check: calling
    float value = cg::reduce(tile, out[threadIdx.x], cg::plus<float>());
    value += tile.shfl_down(value, 1) + tile.any(n) + cg::reduce(here, value, cg::less<float>());
    value += sum(block, memory, value) + sum(cg::tiled_partition(block, 16), memory, value);
    cg::memcpy_async(block, memory, out, sizeof memory);
    cg::wait(block);
    out[block.thread_rank()] = value;
    __syncwarp();                                  // check: warp
    __syncwarp(0xff);                              // check: warp
    out[0] += __shfl_xor_sync(0xffffffff, value, 1); // check: warp
    if (__any_sync(__activemask(), n))
        __trap();
}

__global__ void piped(float *out, const float *in, int n)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ float tile[2][256];
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state); // check: calling
    for (int i = 0; i < n; ++i) {
        pipe.producer_acquire(); // check: calling
        cuda::memcpy_async(block, tile[i % 2], in + i * 256, sizeof tile[0], pipe);
        pipe.producer_commit(); // check: calling
        pipe.consumer_wait();   // check: calling
        out[threadIdx.x] += tile[i % 2][threadIdx.x];
        pipe.consumer_release(); // check: calling
    }
    cuda::pipeline<cuda::thread_scope_thread> own = cuda::make_pipeline();
    own.producer_acquire();
    cuda::memcpy_async(tile[0], in, sizeof(float), own);
    own.producer_commit();
    cuda::pipeline_consumer_wait_prior<0>(own);
}

int main()
{
    library<<<1, 128>>>(nullptr, 1);
    instructions<<<1, 128>>>(nullptr, 1);
    primitives<<<1, 128>>>(1);
    groups<<<2, 128>>>(nullptr, 1);
    piped<<<1, 128>>>(nullptr, nullptr, 1);
}
