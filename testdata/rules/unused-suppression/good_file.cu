// A whole file, from whichever line that is said on.
#include <cuda_runtime.h>

__global__ void copy(const float *in, float *out)
{
    int warp = threadIdx.x / 32;
    __barrier_sync_count(warp, 32);
    out[threadIdx.x] = in[threadIdx.x];
    __barrier_sync_count(warp, 32);
}

void run(const float *in, float *out)
{
    copy<<<1, 1024>>>(in, out);
}
// barlint-ignore-file[named-id-range]: the numbers alias on purpose
