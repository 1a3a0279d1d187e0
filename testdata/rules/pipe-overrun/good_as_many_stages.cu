#include <cooperative_groups.h>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

__global__ void reverse(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ alignas(16) float tile[3][128];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 3> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    for (int t = 0; t < 3; ++t) {
        pipe.producer_acquire();
        cuda::memcpy_async(block, tile[t % 3], in + t * 128, sizeof(tile[0]), pipe);
        pipe.producer_commit();
    }
    for (int t = 0; t < 3; ++t) {
        pipe.consumer_wait();
        out[t * 128 + threadIdx.x] = tile[t % 3][127 - threadIdx.x];
        pipe.consumer_release();
    }
}

void run(const float *in, float *out, int tiles)
{
    reverse<<<1, 128>>>(in, out, tiles);
}
