// A grid that synchronises must be resident as a whole: no device has room for a million blocks.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void twice(float *cell)
{
    auto grid = cg::this_grid();
    cell[grid.thread_rank()] += 1;
    grid.sync();
    cell[grid.num_threads() - 1 - grid.thread_rank()] *= 2;
}

void launch(float *cell)
{
    void *arguments[] = {&cell};
    cudaLaunchCooperativeKernel((void *)twice, 1 << 20, 1024, arguments); // expect: launch-cooperative
}
