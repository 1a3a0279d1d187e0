// A block of many threads copies together: its bytes count once, not once for each thread.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <utility>

__global__ void scaled(const float *in, float *out, int tiles)
{
    extern __shared__ float tile[];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    auto block = cooperative_groups::this_thread_block();
    if (block.thread_rank() == 0)
        init(&bar, block.size());
    block.sync();
    for (int t = 0; t < tiles; ++t) {
        cuda::memcpy_async(block, tile, in + t * block.size(), sizeof(float) * block.size(), bar);
        auto token = bar.arrive();
        bar.wait(std::move(token));
        out[t * block.size() + threadIdx.x] = 2.0f * tile[block.size() - 1 - threadIdx.x];
        block.sync();
    }
}

void launch(const float *in, float *out, int tiles)
{
    scaled<<<16, 768, 768 * sizeof(float)>>>(in, out, tiles);
}
