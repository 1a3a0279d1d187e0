// How many threads the block has is for the caller to say; that the launch is an ordinary one is not.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void normalise(float *data, float *sum, int n)
{
    cg::grid_group grid = cg::this_grid();
    for (int i = grid.thread_rank(); i < n; i += grid.size())
        atomicAdd(sum, data[i]);
    grid.sync();
    for (int i = grid.thread_rank(); i < n; i += grid.size())
        data[i] /= *sum;
}

void run(float *data, float *sum, int n, int threads, int blocks)
{
    dim3 block(threads, 1, 1);
    dim3 grid(blocks, 1, 1);
    normalise<<<grid, block>>>(data, sum, n); // expect: launch-cooperative
}
