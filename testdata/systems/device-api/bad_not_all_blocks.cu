// All threads of the grid come to its barrier.
#include <cooperative_groups.h>

__global__ void two_passes(float *cell, int count)
{
    auto grid = cooperative_groups::this_grid();
    if (blockIdx.x * blockDim.x >= count)
        return;
    cell[grid.thread_rank()] *= 2;
    grid.sync(); // expect: grid-skip
    cell[grid.thread_rank()] += cell[0];
}

void launch(float *cell, int count)
{
    void *arguments[] = {&cell, &count};
    cudaLaunchCooperativeKernel((void *)two_passes, dim3(4), dim3(128), arguments);
}
