// A second arrival at the grid's barrier before its wait.
#include <cooperative_groups.h>
#include <utility>

namespace cg = cooperative_groups;

__global__ void twice(float *cell)
{
    auto grid = cg::this_grid();
    cell[grid.thread_rank()] += 1;
    auto token = grid.barrier_arrive();
    grid.sync(); // expect: group-arrive-wait
    grid.barrier_wait(std::move(token));
}

void launch(float *cell)
{
    void *arguments[] = {&cell};
    cudaLaunchCooperativeKernel((void *)twice, 8, 128, arguments);
}
