// Loaders and workers each name their own number where the number of producers is asked for.
#include <cooperative_groups.h>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

constexpr int loaders = 32, workers = 96;

__global__ void absolute(const int *__restrict__ in, int *__restrict__ out, int tiles)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ int tile[2][workers];
    auto block = cg::this_thread_block();
    const bool loads = block.thread_rank() < loaders;
    auto pipe = cuda::make_pipeline(block, &state, loads ? loaders : workers); // expect: pipe-role
    for (int t = 0; t < tiles; ++t) {
        if (loads) {
            pipe.producer_acquire();
            for (int i = threadIdx.x; i < workers; i += loaders)
                tile[t % 2][i] = in[t * workers + i];
            pipe.producer_commit();
        } else {
            const int own = threadIdx.x - loaders;
            pipe.consumer_wait();
            out[t * workers + own] = abs(tile[t % 2][own]);
            pipe.consumer_release();
        }
    }
}

void run(const int *in, int *out, int tiles)
{
    absolute<<<1, loaders + workers>>>(in, out, tiles);
}
