// As many threads produce as the pipeline is made for, and all others consume.
#include <cooperative_groups.h>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

__global__ void add(const float *a, const float *b, float *out, int tiles)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ float tile[2][64];
    auto block = cg::this_thread_block();
    constexpr cuda::std::size_t loaders = 64;
    auto pipe = cuda::make_pipeline(block, &state, loaders);
    for (int t = 0; t < tiles; ++t) {
        float *stage = tile[t % 2];
        if (threadIdx.x < 64) {
            const float *from = threadIdx.x < 32 ? a : b;
            pipe.producer_acquire();
            cuda::memcpy_async(&stage[threadIdx.x], &from[t * 32 + threadIdx.x % 32], sizeof(float),
                               pipe);
            pipe.producer_commit();
        } else {
            const int i = threadIdx.x - 64;
            pipe.consumer_wait();
            if (i < 32)
                out[t * 32 + i] = stage[i] + stage[32 + i];
            pipe.consumer_release();
        }
    }
}

void run(const float *a, const float *b, float *out, int tiles)
{
    add<<<1, 128>>>(a, b, out, tiles);
}
