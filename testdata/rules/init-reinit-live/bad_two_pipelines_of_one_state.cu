// The second pipeline initialises the barriers anew that the first one waits at.
#include <cooperative_groups.h>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

__global__ void reverse(const float *in, float *out, int tiles)
{
    __shared__ float tile[2][128];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    auto other = cuda::make_pipeline(block, &state); // expect: init-reinit-live
    for (int t = 0; t < tiles; ++t) {
        pipe.producer_acquire();
        cuda::memcpy_async(block, tile[t % 2], in + t * 128, sizeof(tile[0]), pipe);
        pipe.producer_commit();
        pipe.consumer_wait();
        out[t * 128 + threadIdx.x] = tile[t % 2][127 - threadIdx.x];
        pipe.consumer_release();
    }
}

void launch(const float *in, float *out, int tiles)
{
    reverse<<<1, 128>>>(in, out, tiles);
}
