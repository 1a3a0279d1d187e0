// Some warps reduce a predicate on the counter on which others only synchronise.
#include "sp_sync.h"

__global__ void vote(const int *in, int *out)
{
    if (threadIdx.x < 64)
        out[threadIdx.x] = sp::syncthreads_count(1, 4, in[threadIdx.x] > 0);
    else
        sp::syncthreads(1, 4); // expect: named-red-mix
}

void launch(const int *in, int *out)
{
    vote<<<1, 128>>>(in, out);
}
