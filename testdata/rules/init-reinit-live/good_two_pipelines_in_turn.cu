// The first pipeline is gone when the second one is made.
#include <cooperative_groups.h>
#include <cuda/pipeline>

namespace cg = cooperative_groups;
using state_t = cuda::pipeline_shared_state<cuda::thread_scope_block, 2>;

__device__ void reverse_one(state_t *state, float (*tile)[128], const float *in, float *out, int tiles)
{
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, state);
    for (int t = 0; t < tiles; ++t) {
        pipe.producer_acquire();
        cuda::memcpy_async(block, tile[t % 2], in + t * 128, sizeof(tile[0]), pipe);
        pipe.producer_commit();
        pipe.consumer_wait();
        out[t * 128 + threadIdx.x] = tile[t % 2][127 - threadIdx.x];
        pipe.consumer_release();
    }
}

__global__ void reverse_two(const float *in, float *out, int tiles)
{
    __shared__ float tile[2][128];
    __shared__ state_t state;
    reverse_one(&state, tile, in, out, tiles);
    __syncthreads();
    reverse_one(&state, tile, in + tiles * 128, out + tiles * 128, tiles);
}

void launch(const float *in, float *out, int tiles)
{
    reverse_two<<<1, 128>>>(in, out, tiles);
}
