#include <cooperative_groups.h>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

// No thread is left to be a consumer in a block that is as small as the producers' part of it.
__global__ void store(const float *in, float *out, int tiles)
{
    __shared__ float tile[2][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    const auto role =
        threadIdx.x < 64 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
    auto pipe = cuda::make_pipeline(block, &state, role); // expect: pipe-role
    for (int t = 0; t < tiles; ++t) {
        if (role == cuda::pipeline_role::producer) {
            pipe.producer_acquire();
            cuda::memcpy_async(&tile[t % 2][threadIdx.x], &in[t * 64 + threadIdx.x],
                               sizeof(float), pipe);
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            out[t * 64 + threadIdx.x - 64] = tile[t % 2][127 - threadIdx.x];
            pipe.consumer_release();
        }
    }
}

void launch(const float *in, float *out, int tiles)
{
    store<<<1, 64>>>(in, out, tiles);
}
