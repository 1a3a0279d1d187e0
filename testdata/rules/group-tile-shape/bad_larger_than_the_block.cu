// A tile of 256 threads in a block of 128.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

template <int Threads>
__global__ void smooth(const float *__restrict__ in, float *__restrict__ out)
{
    auto tile = cg::tiled_partition<Threads>(cg::this_thread_block()); // expect: group-tile-shape
    out[threadIdx.x] = in[threadIdx.x];
    tile.sync();
    out[threadIdx.x + 256] = out[threadIdx.x ^ 1];
}

void run(const float *in, float *out)
{
    smooth<256><<<1, 128>>>(in, out);
}
