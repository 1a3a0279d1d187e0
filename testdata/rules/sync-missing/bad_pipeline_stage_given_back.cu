// The consumers give their stage back as soon as it is filled and read it then: its producers may
// be filling it anew by that time.
#include <cooperative_groups.h>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

constexpr int producers = 32, consumers = 64, stages = 3;

__global__ void invert(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    __shared__ float tile[stages][consumers];
    auto block = cg::this_thread_block();
    const auto role = threadIdx.x < producers ? cuda::pipeline_role::producer
                                              : cuda::pipeline_role::consumer;
    auto pipe = cuda::make_pipeline(block, &state, role);
    if (role == cuda::pipeline_role::producer) {
        for (int t = 0; t < tiles; ++t) {
            pipe.producer_acquire();
            for (int i = threadIdx.x; i < consumers; i += producers)
                cuda::memcpy_async(&tile[t % stages][i], in + t * consumers + i, // expect: sync-missing
                                   sizeof(float), pipe);
            pipe.producer_commit();
        }
    } else {
        const int own = threadIdx.x - producers;
        for (int t = 0; t < tiles; ++t) {
            pipe.consumer_wait();
            pipe.consumer_release();
            out[t * consumers + own] = 1.0f / tile[t % stages][own];
        }
    }
}

void run(const float *in, float *out, int tiles)
{
    invert<<<1, producers + consumers>>>(in, out, tiles);
}
