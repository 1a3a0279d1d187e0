// The consumers leave at a sign in their data, and the producers wait for free stages.
#include <cooperative_groups.h>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

__global__ void until_sign(const int *in, const int *stop, int *out, int tiles)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ int tile[2][32];
    auto block = cg::this_thread_block();
    const bool fills = threadIdx.x < 32;
    auto pipe = cuda::make_pipeline(
        block, &state, fills ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    if (fills) {
        for (int t = 0; t < tiles; ++t) {
            pipe.producer_acquire();
            tile[t % 2][threadIdx.x] = in[t * 32 + threadIdx.x];
            pipe.producer_commit();
        }
    } else {
        for (int t = 0; t < tiles; ++t) {
            pipe.consumer_wait();
            out[t * 32 + threadIdx.x - 32] = tile[t % 2][63 - threadIdx.x];
            pipe.consumer_release(); // expect: pipe-quit
            if (stop[t])
                return;
        }
    }
}

// The producers take every second tile only.
__global__ void every_second(const int *in, int *out, int tiles)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ int tile[2][32];
    auto block = cg::this_thread_block();
    const bool fills = threadIdx.x < 32;
    auto pipe = cuda::make_pipeline(
        block, &state, fills ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    if (fills) {
        for (int t = 0; t < 4; t += 2) {
            pipe.producer_acquire();
            tile[t % 2][threadIdx.x] = in[t * 32 + threadIdx.x];
            pipe.producer_commit(); // expect: pipe-quit
        }
    } else {
        for (int t = 0; t < 4; ++t) {
            pipe.consumer_wait();
            out[t * 32 + threadIdx.x - 32] = tile[t % 2][63 - threadIdx.x];
            pipe.consumer_release();
        }
    }
}

void launch(const int *in, const int *stop, int *out, int tiles)
{
    until_sign<<<1, 64>>>(in, stop, out, tiles);
    every_second<<<1, 64>>>(in, out, tiles);
}
