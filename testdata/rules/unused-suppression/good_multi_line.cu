// A statement of several lines: a comment on any of them, or alone above it, silences what begins or
// ends there.
#include <cuda_runtime.h>

__global__ void copy(const float *in, float *out)
{
    int warp = threadIdx.x / 32;
    // barlint-ignore[named-id-range]: the numbers alias on purpose;
    // the reason goes on in a comment of its own
    asm volatile("bar.sync %0, 32;"
                 :
                 : "r"(warp)
                 : "memory");
    __barrier_sync_count( // barlint-ignore[named-id-range]: the same, on its first line
        warp,
        32);
    __barrier_sync_count(
        warp,
        32); /* barlint-ignore[named-id-range]: and on its last */
    /*
     * barlint-ignore[named-id-range]: in a block of several lines, alone before the
     * code that it is for
     */

    __barrier_sync_count(warp, 32);
    out[threadIdx.x] = in[threadIdx.x];
}

void run(const float *in, float *out)
{
    copy<<<1, 1024>>>(in, out);
}
