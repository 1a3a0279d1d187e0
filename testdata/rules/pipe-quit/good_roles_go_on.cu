// Both roles go through all stages; what is behind the sign is not used.
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
        bool going = true;
        for (int t = 0; t < tiles; ++t) {
            pipe.consumer_wait();
            if (going)
                out[t * 32 + threadIdx.x - 32] = tile[t % 2][63 - threadIdx.x];
            pipe.consumer_release();
            going &= stop[t] == 0;
        }
    }
}

// Both stop at the sign, which both of them read.
__global__ void both_stop(const int *in, const int *stop, int *out, int tiles)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ int tile[2][32];
    auto block = cg::this_thread_block();
    const bool fills = threadIdx.x < 32;
    auto pipe = cuda::make_pipeline(
        block, &state, fills ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    for (int t = 0; t < tiles; ++t) {
        if (fills) {
            pipe.producer_acquire();
            tile[t % 2][threadIdx.x] = in[t * 32 + threadIdx.x];
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            out[t * 32 + threadIdx.x - 32] = tile[t % 2][63 - threadIdx.x];
            pipe.consumer_release();
        }
        if (stop[t])
            return;
    }
}

void launch(const int *in, const int *stop, int *out, int tiles)
{
    until_sign<<<1, 64>>>(in, stop, out, tiles);
    both_stop<<<1, 64>>>(in, stop, out, tiles);
}
