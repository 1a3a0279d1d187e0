// A table of launches, one for each length of a row. Only the last of them has rows of two warps, and
// a warp's barrier does not do there.
#include <cuda_runtime.h>

__global__ void greatest(const int *in, int *out, int length, int rest)
{
    __shared__ int best[64];
    const int t = threadIdx.x;
    best[t] = in[blockIdx.x * 64 + t];
    __syncwarp();
    if ((t & rest) < length / 2)
        best[t] = max(best[t], best[t + length / 2]); // expect: sync-missing
    __syncthreads();
    if ((t & rest) == 0)
        out[(blockIdx.x * 64 + t) / length] = best[t];
}

void greatest_of_pairs(const int *in, int *out, int kind)
{
    switch (kind) {
    case 0:
        greatest<<<128, 64>>>(in, out, 2, 1);
        break;
    case 1:
        greatest<<<128, 64>>>(in, out, 4, 3);
        break;
    case 2:
        greatest<<<128, 64>>>(in, out, 8, 7);
        break;
    case 3:
        greatest<<<128, 64>>>(in, out, 16, 15);
        break;
    case 4:
        greatest<<<128, 64>>>(in, out, 32, 31);
        break;
    default:
        greatest<<<128, 64>>>(in, out, 64, 63);
    }
}
