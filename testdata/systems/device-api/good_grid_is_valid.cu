// A kernel that asks whether its grid can synchronise may be launched either way.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void twice(float *cell)
{
    auto grid = cg::this_grid();
    cell[grid.thread_rank()] += 1;
    if (grid.is_valid()) {
        grid.sync();
        cell[grid.num_threads() - 1 - grid.thread_rank()] *= 2;
    }
}

void launch(float *cell)
{
    twice<<<8, 128>>>(cell);
}
