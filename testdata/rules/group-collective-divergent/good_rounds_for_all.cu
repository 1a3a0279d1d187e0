#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;


__global__ void count_spaces(const char *chars, const int *offset, int *out)
{
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int begin = offset[row], end = offset[row + 1];
    int count = 0;
    for (int base = begin; base < end; base += 32) {
        const int i = base + warp.thread_rank();
        count += cg::reduce(warp, i < end && chars[i] == ' ' ? 1 : 0, cg::plus<int>());
    }
    if (warp.thread_rank() == 0)
        out[row] = count;
}

void launch(const char *chars, const int *offset, int *out, int rows)
{
    count_spaces<<<rows / 8, 256>>>(chars, offset, out);
}
