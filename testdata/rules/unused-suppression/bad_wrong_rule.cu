// A suppression of another rule silences nothing and is reported beside what it was meant for.
#include <cuda_runtime.h>

__global__ void copy(const float *in, float *out)
{
    int warp = threadIdx.x / 32;
    // barlint-ignore[named-count-multiple]: taken for another // expect: unused-suppression
    __barrier_sync_count(warp, 32); // expect: named-id-range
    __barrier_sync_count(warp, 32); // NOLINT(barlint-named-exit) expect: named-id-range, unused-suppression
    // Of a list, what silences nothing is reported by itself.
    // barlint-ignore[named-id-range, named-divergent]: one too many // expect: unused-suppression
    __barrier_sync_count(warp, 32);
    out[threadIdx.x] = in[threadIdx.x];
}

void run(const float *in, float *out)
{
    copy<<<1, 1024>>>(in, out);
}
