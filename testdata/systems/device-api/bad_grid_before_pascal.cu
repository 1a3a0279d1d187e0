// arch: sm_52
// headers: builtin
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void twice(float *cell)
{
    auto grid = cg::this_grid();
    cell[grid.thread_rank()] += 1;
    grid.sync(); // expect: port-arch
    cell[grid.num_threads() - 1 - grid.thread_rank()] *= 2;
}

void launch(float *cell)
{
    void *arguments[] = {&cell};
    cudaLaunchCooperativeKernel((void *)twice, 8, 128, arguments);
}
