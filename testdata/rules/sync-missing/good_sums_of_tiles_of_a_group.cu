// One thread adds up what the first lanes of all warps have stored before a barrier of the block.
// The size of the block is the caller's.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__device__ void add_up(float *part, const cg::thread_block &block)
{
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    const unsigned rank = block.thread_rank();
    part[rank] = cg::reduce(tile, part[rank], cg::plus<float>());
    cg::sync(block);
    if (rank == 0) {
        float sum = 0;
        for (unsigned i = 0; i < block.size(); i += tile.size())
            sum += part[i];
        part[0] = sum;
    }
    cg::sync(block);
}

__global__ void sums(const float *in, float *out, unsigned n)
{
    extern __shared__ float part[];
    cg::thread_block block = cg::this_thread_block();
    part[block.thread_rank()] = 0;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        part[block.thread_rank()] += in[i];
    cg::sync(block);
    add_up(part, block);
    if (block.thread_rank() == 0)
        out[blockIdx.x] = part[0];
}

void run(const float *in, float *out, unsigned n, int blocks, int threads)
{
    sums<<<blocks, threads, threads * sizeof(float)>>>(in, out, n);
}
