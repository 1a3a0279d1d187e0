// A range around nothing, an end without a beginning, and the inner one of two that cover the same.
#include <cuda_runtime.h>

__global__ void copy(const float *in, float *out)
{
    int warp = threadIdx.x / 32;
    // barlint-ignore-begin[named-id-range]: nothing in it // expect: unused-suppression
    out[threadIdx.x] = in[threadIdx.x];
    // barlint-ignore-end[named-id-range]
    __barrier_sync_count(warp, 32); // expect: named-id-range
    // barlint-ignore-end[named-id-range]: no beginning // expect: unused-suppression
    out[threadIdx.x] += 1;
    // NOLINTBEGIN(barlint-named-id-range): nothing either // expect: unused-suppression
    out[threadIdx.x] += 1;
    // NOLINTEND(barlint-named-id-range)
}

void run(const float *in, float *out)
{
    copy<<<1, 1024>>>(in, out);
}
