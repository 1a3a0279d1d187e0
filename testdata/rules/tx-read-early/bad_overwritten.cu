#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

__global__ void reverse(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ alignas(16) float tile[3][512];
    auto block = cg::this_thread_block();
    for (int t = 0; t < tiles; ++t) {
        cg::memcpy_async(block, tile[0], in + t * 128, 128 * sizeof(float));
        tile[0][threadIdx.x] = 0.0f; // expect: tx-read-early
        cg::wait(block);
        out[t * 128 + threadIdx.x] = tile[0][127 - threadIdx.x];
        block.sync();
    }
}

void run(const float *in, float *out, int tiles)
{
    reverse<<<1, 128>>>(in, out, tiles);
}
