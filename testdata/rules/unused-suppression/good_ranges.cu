// Ranges within ranges, a range of clang-tidy's, and one for every rule.
#include <cuda_runtime.h>

__global__ void copy(const float *in, float *out)
{
    int warp = threadIdx.x / 32;
    // barlint-ignore-begin[named-id-range]: all of the hand-over
    __barrier_sync_count(warp, 32);
    // barlint-ignore-begin[named-count-multiple]: and in it this one
    __barrier_sync_count(warp, 20);
    // barlint-ignore-end[named-count-multiple]
    // barlint-ignore-end[named-id-range]
    // NOLINTBEGIN(barlint-named-id-range)
    __barrier_sync_count(warp, 32);
    // NOLINTEND(barlint-named-id-range)
    __barrier_sync_count(warp, 20); // barlint-ignore[*]: whatever there is
    out[threadIdx.x] = in[threadIdx.x];
}

void run(const float *in, float *out)
{
    copy<<<1, 1024>>>(in, out);
}
