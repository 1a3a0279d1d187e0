// Each block leaves the loop when none of its own threads has anything left to do: others come to
// the grid's barrier once more.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void relax(float *cell, float most)
{
    auto grid = cg::this_grid();
    int more;
    do {
        const float value = cell[grid.thread_rank()];
        if (value > most)
            cell[grid.thread_rank()] = 0.5f * value;
        more = __syncthreads_or(value > most);
        grid.sync(); // expect: grid-skip
    } while (more);
}

void launch(float *cell, float most)
{
    void *arguments[] = {&cell, &most};
    cudaLaunchCooperativeKernel((void *)relax, dim3(8), dim3(128), arguments, 0, 0);
}
