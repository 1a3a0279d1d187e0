// The first tile of each block adds up; which tile that is, a tile knows that does not name the
// group it was cut from, too.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void normalise(const float *__restrict__ x, float *__restrict__ sum, float *__restrict__ y)
{
    __shared__ float part[8];
    const auto grid = cg::this_grid();
    const auto block = cg::this_thread_block();
    const cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    const float own = x[grid.thread_rank()];
    const float of_warp = cg::reduce(warp, own * own, cg::plus<float>());
    if (warp.thread_rank() == 0)
        part[warp.meta_group_rank()] = of_warp;
    block.sync();
    if (warp.meta_group_rank() == 0) {
        const bool is_one = warp.thread_rank() < warp.meta_group_size();
        const float all = cg::reduce(warp, is_one ? part[warp.thread_rank()] : 0.0f, cg::plus<float>());
        if (warp.thread_rank() == 0)
            atomicAdd(sum, all);
    }
    grid.sync();
    y[grid.thread_rank()] = own * rsqrtf(*sum);
}

void run(const float *x, float *sum, float *y)
{
    void *arguments[] = {&x, &sum, &y};
    cudaLaunchCooperativeKernel((void *)normalise, dim3(64), dim3(256), arguments, 0, nullptr);
}
