#include <cooperative_groups.h>
namespace cg = cooperative_groups;


// Blocks with fewer rounds come to the barriers of the others too.
__global__ void segments(const int *begin, float *sum, const float *value, int most)
{
    auto grid = cg::this_grid();
    int done = 0;
    for (int i = 0; i < most; ++i) {
        if (begin[blockIdx.x] + i < begin[blockIdx.x + 1])
            sum[blockIdx.x] += value[begin[blockIdx.x] + i];
        grid.sync();
        ++done;
    }
    sum[blockIdx.x] += done;
}

void launch(const int *begin, float *sum, const float *value, int most)
{
    void *arguments[] = {&begin, &sum, &value, &most};
    cudaLaunchCooperativeKernel((void *)segments, dim3(64), dim3(128), arguments, 0, nullptr);
}
