#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;


__global__ void count_spaces(const char *chars, const int *offset, int *out)
{
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int count = 0;
    for (int i = offset[row] + warp.thread_rank(); i < offset[row + 1]; i += warp.size())
        count += cg::reduce(warp, chars[i] == ' ' ? 1 : 0, cg::plus<int>()); // expect: group-collective-divergent
    if (warp.thread_rank() == 0)
        out[row] = count;
}

void launch(const char *chars, const int *offset, int *out, int rows)
{
    count_spaces<<<rows / 8, 256>>>(chars, offset, out);
}
