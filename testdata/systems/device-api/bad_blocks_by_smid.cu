// The number of the multiprocessor may change, and says nothing of which blocks there are.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void halves(float *cell)
{
    unsigned number;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(number));
    cell[threadIdx.x] += 1;
    if (number < 64)
        cg::this_grid().sync(); // expect: grid-skip
    cell[threadIdx.x] *= 2;
}

void launch(float *cell)
{
    void *arguments[] = {&cell};
    cudaLaunchCooperativeKernel((void *)halves, 128, 128, arguments);
}
