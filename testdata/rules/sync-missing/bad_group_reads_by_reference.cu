// A group's reduction reads the other warps' sums itself: it takes them by reference. The next row
// is stored over them while others still read.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void row_means(const float *__restrict__ in, float *__restrict__ out, int rows,
                          int columns)
{
    __shared__ float sum[32];
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        float mine = 0;
        for (int i = threadIdx.x; i < columns; i += 1024)
            mine += in[row * columns + i];
        sum[warp.meta_group_rank()] = // expect: sync-missing
            cg::reduce(warp, mine, cg::plus<float>());
        block.sync();
        float all = cg::reduce(warp, sum[warp.thread_rank()], cg::plus<float>());
        if (threadIdx.x == 0)
            out[row] = all / columns;
    }
}

void run(const float *in, float *out, int rows, int columns)
{
    row_means<<<64, 1024>>>(in, out, rows, columns);
}
