// What each block finds new nobody can follow, and some of it only one block looks at. All blocks
// learn behind the barrier whether anything was, and leave together.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ bool anything_new(const int *first_edge, const int *edge, int *level_of, int level,
                             int vertices)
{
    bool found = false;
    int step = gridDim.x * blockDim.x;
    for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < vertices; v += step) {
        if (level_of[v] != level)
            continue;
        for (int e = first_edge[v]; e < first_edge[v + 1]; ++e)
            found |= atomicCAS(&level_of[edge[e]], -1, level + 1) == -1;
    }
    if (found)
        return true;
    return false;
}

__global__ void levels(const int *first_edge, const int *edge, int *level_of, int vertices,
                       volatile int *changed, int *last)
{
    cg::grid_group grid = cg::this_grid();
    for (int level = 0;; ++level) {
        if (grid.thread_rank() == 0)
            changed[(level + 1) % 3] = 0;
        if (blockIdx.x == 0 && threadIdx.x == 0)
            *last = level;
        if (anything_new(first_edge, edge, level_of, level, vertices))
            changed[level % 3] = 1;
        grid.sync();
        if (!changed[level % 3])
            break;
    }
}

void launch(const int *first_edge, const int *edge, int *level_of, int vertices, int *changed,
            int *last)
{
    int blocks = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, levels, 256, 0);
    void *arguments[] = {&first_edge, &edge, &level_of, &vertices, &changed, &last};
    cudaLaunchCooperativeKernel((void *)levels, dim3(blocks), dim3(256), arguments, 0, nullptr);
}
