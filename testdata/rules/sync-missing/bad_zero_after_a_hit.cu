// All threads clear the flag and some raise it at once: a warp that comes late clears it again.
#include <cuda_runtime.h>

__global__ void any(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ int found;
    found = 0;
    if (threadIdx.x == 100)
        found = in[blockIdx.x]; // expect: sync-missing
    out[blockIdx.x * 128 + threadIdx.x] = found; // expect: sync-missing
}

void run(const int *in, int *out, int blocks)
{
    any<<<blocks, 128>>>(in, out);
}
