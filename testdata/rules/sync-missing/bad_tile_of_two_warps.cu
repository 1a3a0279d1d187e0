#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void center(const float *in, float *out)
{
    __shared__ float mean[2];
    auto pair = cg::tiled_partition<64>(cg::this_thread_block());
    const float *row = in + 64 * pair.meta_group_rank();
    if (pair.thread_rank() == 0) {
        float sum = 0.0f;
        for (int i = 0; i < 64; ++i)
            sum += row[i];
        mean[pair.meta_group_rank()] = sum / 64;
    }
    out[threadIdx.x] = row[pair.thread_rank()] - mean[pair.meta_group_rank()]; // expect: sync-missing
    pair.sync();
}

void run(const float *in, float *out)
{
    center<<<1, 128>>>(in, out);
}
