// The size of the tiles is an argument: whole tiles come, and one of an unknown size tells nothing.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ int sum_of(cg::thread_group group, int *line, int value)
{
    const int lane = group.thread_rank();
    for (int i = group.size() / 2; i > 0; i /= 2) {
        line[lane] = value;
        group.sync();
        if (lane < i)
            value += line[lane + i];
        group.sync();
    }
    return value;
}

__global__ void sums(const int *in, int *out, int size)
{
    __shared__ int line[128];
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition(block, 4);
    const int sum = sum_of(tile, &line[threadIdx.x / 4 * 4], in[threadIdx.x]);
    if (tile.thread_rank() == 0)
        out[threadIdx.x / 4] = sum;
    if (threadIdx.x % 32 < 16)
        cg::tiled_partition(block, 16).sync();
    auto unknown = cg::tiled_partition(block, size);
    if (threadIdx.x % 32 >= 8)
        unknown.sync();
}

void run(const int *in, int *out, int size)
{
    sums<<<1, 128>>>(in, out, size);
}
