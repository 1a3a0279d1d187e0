// cuda::pipeline in both scopes and every way to make one.
#include <cooperative_groups.h>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

template <int stages> __global__ void kernel(int *out, const int *in)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    __shared__ int tile[stages][64];
    auto block = cg::this_thread_block();
    auto unified = cuda::make_pipeline(block, &state);
    auto counted = cuda::make_pipeline(block, &state, 32);
    auto role = threadIdx.x < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
    auto by_role = cuda::make_pipeline(block, &state, role);
    unified.producer_acquire();
    cuda::memcpy_async(tile[0], in, sizeof(int), unified);
    cuda::memcpy_async(block, tile[0], in, sizeof(int) * 64, unified);
    cuda::memcpy_async(block, tile[0], in, cuda::aligned_size_t<16>(sizeof(int) * 64), unified);
    unified.producer_commit();
    unified.consumer_wait();
    unified.consumer_release();
    (void)unified.consumer_wait_for(cuda::std::chrono::milliseconds(1));
    (void)unified.consumer_wait_until(cuda::std::chrono::system_clock::now());
    (void)counted.quit();
    cuda::pipeline<cuda::thread_scope_thread> own = cuda::make_pipeline();
    own.producer_acquire();
    cuda::memcpy_async(tile[0], in, sizeof(int), own);
    own.producer_commit();
    cuda::pipeline_consumer_wait_prior<1>(own);
    own.consumer_wait();
    own.consumer_release();
    __shared__ cuda::barrier<cuda::thread_scope_block> b;
    cuda::pipeline_producer_commit(own, b);
    by_role.producer_acquire();
    out[0] = tile[0][0];
}

static_assert(sizeof(cuda::pipeline_shared_state<cuda::thread_scope_block, 2>) == 40, "");

void host(int *p)
{
    kernel<2><<<1, 64>>>(p, p);
}
