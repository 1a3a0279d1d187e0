#include <cooperative_groups.h>
namespace cg = cooperative_groups;


__global__ void roles(float *data)
{
    auto grid = cg::this_grid();
    if (blockIdx.x == 0) {
        data[threadIdx.x] = 1;
        grid.sync();
    } else {
        grid.sync();
        data[blockIdx.x * 128 + threadIdx.x] = data[threadIdx.x];
    }
}

void launch(float *data)
{
    void *arguments[] = {&data};
    cudaLaunchCooperativeKernel((void *)roles, dim3(64), dim3(128), arguments, 0, nullptr);
}
