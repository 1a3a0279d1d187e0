// As many blocks as are resident together, by a cooperative launch.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void two_passes(float *cell, int count)
{
    cg::grid_group grid = cg::this_grid();
    for (unsigned long long i = grid.thread_rank(); i < count; i += grid.num_threads())
        cell[i] *= 2;
    grid.sync();
    for (unsigned long long i = grid.thread_rank(); i + 1 < count; i += grid.num_threads())
        cell[i] += cell[i + 1];
}

void launch(float *cell, int count)
{
    int device = 0, supported = 0, blocks = 0;
    cudaDeviceProp properties;
    cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, device);
    if (!supported)
        return;
    cudaGetDeviceProperties(&properties, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, two_passes, 128, 0);
    void *arguments[] = {&cell, &count};
    cudaLaunchCooperativeKernel((void *)two_passes, dim3(properties.multiProcessorCount * blocks),
                                dim3(128), arguments);
}
