// All threads store the time to one word, and each has read its own clock: what one finds there is
// the time of whoever came last.
#include <cuda_runtime.h>

__global__ void stamp(long long *seen)
{
    __shared__ long long begun;
    begun = clock64();
    seen[threadIdx.x] = begun; // expect: sync-missing
}

void run(long long *seen)
{
    stamp<<<1, 64>>>(seen);
}
