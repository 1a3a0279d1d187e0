// The two sides of one synchronisation name different counts.
#include "sp_sync.h"

__global__ void hand_over(const float *in, float *out)
{
    __shared__ float tile[64];
    if (threadIdx.x < 64) {
        tile[threadIdx.x] = in[threadIdx.x];
        sp::syncthreads_arrive(1, 4);
    } else {
        sp::syncthreads(1, 2); // expect: named-count-mismatch
        out[threadIdx.x - 64] = tile[127 - threadIdx.x];
    }
}

void launch(const float *in, float *out)
{
    hand_over<<<1, 128>>>(in, out);
}
