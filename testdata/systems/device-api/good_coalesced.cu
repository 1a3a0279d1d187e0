// Whoever takes the branch is a group, there.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void append(const int *in, int *out, int *count)
{
    const int value = in[threadIdx.x];
    if (value > 0) {
        cg::coalesced_group active = cg::coalesced_threads();
        int first = 0;
        if (active.thread_rank() == 0)
            first = atomicAdd(count, (int)active.num_threads());
        first = active.shfl(first, 0);
        out[first + active.thread_rank()] = value;
        active.sync();
    }
}

__global__ void odd_and_even(const int *in, int *out)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int value = in[threadIdx.x];
    auto half = cg::binary_partition(warp, value & 1);
    auto label = cg::labeled_partition(warp, value % 3);
    out[threadIdx.x] = half.num_threads() + 100 * label.num_threads();
}

void launch(const int *in, int *out, int *count)
{
    append<<<1, 128>>>(in, out, count);
    odd_and_even<<<1, 128>>>(in, out);
}
