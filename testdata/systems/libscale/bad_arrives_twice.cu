// An arrival does not block: a second one may come before anybody has waited for the first.
#include "sp_sync.h"

__global__ void stream(const float *in, float *out, int tiles)
{
    __shared__ float tile[64];
    for (int t = 0; t < tiles; ++t) {
        if (threadIdx.x < 64) {
            tile[threadIdx.x] = in[t * 64 + threadIdx.x];
            sp::syncthreads_arrive(1, 4); // expect: named-double-arrive
        } else {
            sp::syncthreads(1, 4);
            out[t * 64 + threadIdx.x - 64] = tile[127 - threadIdx.x];
        }
    }
}

void launch(const float *in, float *out, int tiles)
{
    stream<<<1, 128>>>(in, out, tiles);
}
