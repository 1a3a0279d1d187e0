// pedantic: a block of 48 threads in tiles of 32: the second tile adds up lanes that do not exist.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void sums(const int *__restrict__ in, int *__restrict__ out)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block()); // expect: group-tile-shape
    out[threadIdx.x] = cg::reduce(warp, in[threadIdx.x], cg::plus<int>());
}

void run(const int *in, int *out)
{
    sums<<<16, 48>>>(in, out);
}
