// A stage of the pipeline is given back before it is read: others copy into it again.
#include <cooperative_groups.h>
#include <cuda/pipeline>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

constexpr int stages = 2;

__global__ void mirror(const int4 *__restrict__ in, int4 *__restrict__ out, int tiles)
{
    __shared__ int4 tile[stages][128];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    auto fetch = [&](int t) {
        pipe.producer_acquire();
        cuda::memcpy_async(block, tile[t % stages], in + t * 128, // expect: sync-missing
                           cuda::aligned_size_t<16>(sizeof tile[0]), pipe);
        pipe.producer_commit();
    };
    for (int t = 0; t < stages; ++t)
        fetch(t);
    for (int t = 0; t < tiles; ++t) {
        pipe.consumer_wait();
        pipe.consumer_release();
        out[t * 128 + threadIdx.x] = tile[t % stages][127 - threadIdx.x];
        fetch(t + stages);
    }
    pipe.quit();
}

void run(const int4 *in, int4 *out, int tiles)
{
    mirror<<<1, 128>>>(in, out, tiles);
}
