// Rules of a whole file, of which one is broken nowhere in it.
// barlint-ignore-file[named-id-range]: the numbers alias on purpose
// barlint-ignore-file[init-missing]: there was a barrier once // expect: unused-suppression
#include <cuda_runtime.h>

__global__ void copy(const float *in, float *out)
{
    __barrier_sync_count(threadIdx.x / 32, 32);
    out[threadIdx.x] = in[threadIdx.x];
}

void run(const float *in, float *out)
{
    copy<<<1, 1024>>>(in, out);
}
