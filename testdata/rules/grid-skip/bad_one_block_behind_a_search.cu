// Levels of a graph, one after the other: how many edges a vertex has and which of them are new
// nobody can follow, but whichever way that goes, all come back to the barriers. One block alone
// meets the second one.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ void push(int vertex, int *queue, int *waiting)
{
    auto found = cg::coalesced_threads();
    int at = 0;
    if (found.thread_rank() == 0)
        at = atomicAdd(waiting, static_cast<int>(found.size()));
    queue[found.shfl(at, 0) + found.thread_rank()] = vertex;
}

__device__ void visit(const int *first_edge, const int *edge, int *level_of, int level,
                      const int *queue, int waiting, int *next, int *next_waiting)
{
    int step = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < waiting; i += step) {
        int v = queue[i];
        for (int e = first_edge[v]; e < first_edge[v + 1]; ++e)
            if (atomicCAS(&level_of[edge[e]], -1, level + 1) == -1)
                push(edge[e], next, next_waiting);
    }
}

__global__ void levels(const int *first_edge, const int *edge, int *level_of, int *queue, int *next,
                       volatile int *waiting, int *last, int most)
{
    cg::grid_group grid = cg::this_grid();
    for (int level = 0; level < most; ++level) {
        int count = waiting[level];
        if (count == 0)
            break;
        visit(first_edge, edge, level_of, level, queue, count, next,
              const_cast<int *>(&waiting[level + 1]));
        grid.sync();
        if (grid.thread_rank() == 0)
            *last = level;
        if (blockIdx.x == 0)
            grid.sync(); // expect: grid-skip
    }
}

void launch(const int *first_edge, const int *edge, int *level_of, int *queue, int *next,
            int *waiting, int *last, int most)
{
    int blocks = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, levels, 256, 0);
    void *arguments[] = {&first_edge, &edge, &level_of, &queue, &next, &waiting, &last, &most};
    cudaLaunchCooperativeKernel((void *)levels, dim3(blocks), dim3(256), arguments, 0, nullptr);
}
