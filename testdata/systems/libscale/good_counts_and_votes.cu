// The forms that reduce a predicate, with a count of warps and for all of them.
#include "sp_sync.h"

__global__ void votes(const int *in, int *out)
{
    const int positive = sp::syncthreads_count(1, 4, in[threadIdx.x] > 0);
    const bool any = sp::syncthreads_or(2, in[threadIdx.x] < 0);
    out[threadIdx.x] = any ? positive : -positive;
}

void launch(const int *in, int *out)
{
    votes<<<1, 128>>>(in, out);
}
