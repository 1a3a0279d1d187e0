// A block says when it has something left to do, and all of them leave the loop by what all have
// said. A vote about what is the same for the whole grid comes out alike in all blocks.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void relax(float *cell, int *busy, float most)
{
    auto grid = cg::this_grid();
    int more;
    do {
        const float value = cell[grid.thread_rank()];
        if (value > most)
            cell[grid.thread_rank()] = 0.5f * value;
        const int own = __syncthreads_or(value > most);
        if (own && threadIdx.x == 0)
            atomicAdd(busy, 1);
        grid.sync();
        more = *(volatile int *)busy;
        grid.sync();
        if (grid.thread_rank() == 0)
            *busy = 0;
        grid.sync();
    } while (more);
}

__global__ void rounds(float *cell, int n)
{
    auto grid = cg::this_grid();
    for (int i = 0; __syncthreads_or(i < n); ++i) {
        cell[grid.thread_rank()] *= 0.5f;
        grid.sync();
    }
}

void launch(float *cell, int *busy, float most, int n)
{
    void *arguments[] = {&cell, &busy, &most};
    cudaLaunchCooperativeKernel((void *)relax, dim3(8), dim3(128), arguments, 0, 0);
    void *others[] = {&cell, &n};
    cudaLaunchCooperativeKernel((void *)rounds, dim3(8), dim3(128), others, 0, 0);
}
