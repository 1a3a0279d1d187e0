// One block for each element: no device holds a million threads.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void relax(float *data)
{
    auto grid = cg::this_grid();
    data[grid.thread_rank()] *= 0.5f;
    grid.sync();
    data[grid.thread_rank()] += data[grid.thread_rank() ^ 1];
}

void run(float *data)
{
    const int elements = 1 << 20, threads = 256;
    void *arguments[] = {&data};
    (void)cudaLaunchCooperativeKernel(reinterpret_cast<void *>(relax), dim3(elements / threads), // expect: launch-cooperative
                                      dim3(threads), arguments);
}
