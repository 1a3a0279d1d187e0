// pedantic: advice on speed
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void relax(float *data)
{
    auto grid = cg::this_grid();
    data[grid.thread_rank()] *= 0.5f;
    grid.sync();
    cg::this_thread_block().sync(); // expect: perf-redundant-sync
    data[grid.thread_rank()] += data[grid.thread_rank() ^ 1];
}

void run(float *data)
{
    void *arguments[] = {&data};
    (void)cudaLaunchCooperativeKernel(reinterpret_cast<void *>(relax), dim3(16), dim3(128),
                                      arguments);
}
