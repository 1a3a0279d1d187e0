// cudaLaunchKernelEx with an attribute, but not that one.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void relax(float *data)
{
    auto grid = cg::this_grid();
    data[grid.thread_rank()] *= 0.5f;
    auto token = grid.barrier_arrive();
    grid.barrier_wait(static_cast<cg::grid_group::arrival_token &&>(token));
    data[grid.thread_rank()] += 1.0f;
}

void run(float *data, cudaStream_t stream)
{
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributePriority;
    attribute[0].val.priority = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(32);
    config.blockDim = dim3(128);
    config.stream = stream;
    config.attrs = attribute;
    config.numAttrs = 1;
    (void)cudaLaunchKernelEx(&config, relax, data); // expect: launch-cooperative
}
