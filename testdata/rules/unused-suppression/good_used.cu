// Suppressions that silence what they name, in each form, and one that is not for barlint.
#include <cuda_runtime.h>

__global__ void copy(const float *in, float *out)
{
    int warp = threadIdx.x / 32;
    // barlint-ignore[named-id-range]: the numbers are known to alias here
    asm volatile("bar.sync %0, 32;" ::"r"(warp) : "memory");
    asm volatile("bar.sync %0, 32;" ::"r"(warp) : "memory"); // NOLINT(barlint-named-id-range)
    // barlint-ignore-begin[named-id-range]: the same
    out[threadIdx.x] = in[threadIdx.x];
    __barrier_sync_count(warp, 32); // NOLINT
    // barlint-ignore-end[named-id-range]
}

void run(const float *in, float *out)
{
    copy<<<1, 1024>>>(in, out);
}
