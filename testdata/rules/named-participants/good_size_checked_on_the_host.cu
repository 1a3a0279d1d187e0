// Only one size is let by, so the block has 64 threads: one pair of warps, one barrier.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void mirror(const double *in, double *out)
{
    __shared__ double held[64];
    held[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
    __barrier_sync_count(threadIdx.y + 1u, 64u);
    out[blockIdx.x * 64 + threadIdx.x] = held[63 - threadIdx.x];
}

void run(const double *in, double *out, unsigned size, unsigned count)
{
    if (size != 2048) {
        std::fprintf(stderr, "2048 elements, not %u\n", size);
        std::abort();
    }
    const int block = size / 32;
    mirror<<<count, block>>>(in, out);
}
