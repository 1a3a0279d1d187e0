#include <cooperative_groups.h>
namespace cg = cooperative_groups;


__global__ void iterate(float *data, float *error, const int *steps)
{
    auto grid = cg::this_grid();
    int round = 0;
    while (*(volatile float *)error > 0.01f && round < *steps) {
        for (int i = blockIdx.x * 128 + threadIdx.x; i < 4096; i += gridDim.x * 128)
            data[i] *= 0.9f;
        if (blockIdx.x == 0 && threadIdx.x == 0)
            *error *= 0.5f;
        grid.sync();
        ++round;
    }
}

void launch(float *data, float *error, const int *steps)
{
    void *arguments[] = {&data, &error, &steps};
    cudaLaunchCooperativeKernel((void *)iterate, dim3(64), dim3(128), arguments, 0, nullptr);
}
