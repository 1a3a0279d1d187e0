// All blocks go on as long as one of them has found something: they read the flag, past the caches,
// by an atomic that adds nothing.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void relax(const int *from, const int *to, int *cost, int *changed, int edges)
{
    cg::grid_group grid = cg::this_grid();
    bool more = true;
    while (more) {
        for (int e = grid.thread_rank(); e < edges; e += grid.size()) {
            if (atomicMin(&cost[to[e]], cost[from[e]] + 1) > cost[from[e]] + 1)
                atomicExch(changed, 1);
        }
        grid.sync();
        more = atomicAdd(changed, 0) != 0;
        grid.sync();
        if (grid.thread_rank() == 0)
            *changed = 0;
        grid.sync();
    }
}

void run(const int *from, const int *to, int *cost, int *changed, int edges)
{
    void *arguments[] = {&from, &to, &cost, &changed, &edges};
    cudaLaunchCooperativeKernel((const void *)relax, dim3(64), dim3(256), arguments, 0, nullptr);
}
