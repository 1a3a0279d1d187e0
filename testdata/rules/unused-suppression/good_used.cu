// Suppressions that silence what they name, in each form, and one that is not for barlint.
#include <cuda_runtime.h>

__device__ void sync_alias(int id)
{
    // barlint-ignore[named-id-range]: the numbers are known to alias here
    asm volatile("bar.sync %0, 32;" ::"r"(id) : "memory");
}

__device__ void sync_other(int id)
{
    asm volatile("bar.sync %0, 32;" ::"r"(id) : "memory"); // NOLINT(barlint-named-id-range)
}

// barlint-ignore-begin[named-id-range]: the same
__device__ void sync_third(int id)
{
    asm volatile("bar.sync %0, 32;" ::"r"(id) : "memory"); // NOLINT
}
// barlint-ignore-end[named-id-range]

__global__ void copy(const float *in, float *out)
{
    int warp = threadIdx.x / 32;
    sync_alias(warp);
    sync_other(warp);
    sync_third(warp);
    out[threadIdx.x] = in[threadIdx.x];
}

void run(const float *in, float *out)
{
    copy<<<1, 1024>>>(in, out);
}
