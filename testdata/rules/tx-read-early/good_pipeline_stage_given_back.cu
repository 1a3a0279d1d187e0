// The consumers read before they give their stage back; what they read behind that is a table beside
// the stages, and the last tile, which nothing is copied over.
#include <cooperative_groups.h>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

constexpr int producers = 32, consumers = 64, stages = 3;

__global__ void invert(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    __shared__ float tile[stages][consumers];
    __shared__ float scale[consumers];
    auto block = cg::this_thread_block();
    const auto role = threadIdx.x < producers ? cuda::pipeline_role::producer
                                              : cuda::pipeline_role::consumer;
    if (threadIdx.x < consumers)
        scale[threadIdx.x] = in[threadIdx.x];
    auto pipe = cuda::make_pipeline(block, &state, role);
    __syncthreads();
    if (role == cuda::pipeline_role::producer) {
        for (int t = 0; t < tiles; ++t) {
            pipe.producer_acquire();
            for (int i = threadIdx.x; i < consumers; i += producers)
                cuda::memcpy_async(&tile[t % stages][i], in + t * consumers + i, sizeof(float),
                                   pipe);
            pipe.producer_commit();
        }
    } else {
        const int own = threadIdx.x - producers;
        for (int t = 0; t < tiles; ++t) {
            pipe.consumer_wait();
            const float value = tile[t % stages][own];
            pipe.consumer_release();
            out[t * consumers + own] = scale[own] / value;
        }
        if (tiles > 0)
            out[tiles * consumers + own] = tile[(tiles - 1) % stages][consumers - 1 - own];
    }
}

void run(const float *in, float *out, int tiles)
{
    invert<<<1, producers + consumers>>>(in, out, tiles);
}
