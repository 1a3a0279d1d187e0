// What the tile holds decides whether its stage is released.
#include <cooperative_groups.h>
#include <cuda/pipeline>

constexpr int depth = 2, lanes = 32;

__global__ void pick(const int *in, int *out, int tiles)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, depth> state;
    __shared__ int tile[depth][lanes];
    auto block = cooperative_groups::this_thread_block();
    const bool loads = block.thread_rank() < lanes;
    const int lane = block.thread_rank() % lanes;
    auto pipe = cuda::make_pipeline(block, &state,
                                    loads ? cuda::pipeline_role::producer
                                          : cuda::pipeline_role::consumer);
    for (int t = 0; t < tiles; ++t) {
        if (loads) {
            pipe.producer_acquire();
            cuda::memcpy_async(&tile[t % depth][lane], in + t * lanes + lane, sizeof(int), pipe);
            pipe.producer_commit();
        } else {
            pipe.consumer_wait(); // expect: pipe-unbalanced
            if (tile[t % depth][0] < 0)
                continue;
            out[t * lanes + lane] = tile[t % depth][lanes - 1 - lane];
            pipe.consumer_release();
        }
    }
}

void launch(const int *in, int *out, int tiles)
{
    pick<<<1, 2 * lanes>>>(in, out, tiles);
}
