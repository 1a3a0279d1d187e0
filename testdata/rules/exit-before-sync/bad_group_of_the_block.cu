// pedantic: the block's group goes on without those who returned
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

template <int Rows>
__global__ void transpose(const float *__restrict__ in, float *__restrict__ out, int rows)
{
    __shared__ float tile[Rows][33];
    cg::thread_block block = cg::this_thread_block();
    const int row = block.thread_rank() / 32, lane = block.thread_rank() % 32;
    if (row >= rows)
        return;
    tile[row][lane] = in[row * 32 + lane];
    block.sync(); // expect: exit-before-sync
    out[lane * rows + row] = tile[row][lane];
}

void run(const float *in, float *out)
{
    transpose<8><<<1, 256>>>(in, out, 7);
}
