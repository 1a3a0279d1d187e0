// Blocks of so few threads have no tile of which a part could pass by.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void sums(const float *in, float *out, int count)
{
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    float sum = 0.0f;
    if (threadIdx.x < 64)
        sum = cg::reduce(tile, in[threadIdx.x], cg::plus<float>());
    if (threadIdx.x < count)
        out[threadIdx.x] = sum;
}

void launch(const float *in, float *out, int threads)
{
    sums<<<1, threads>>>(in, out, threads);
}
