// The first number of a block of barriers is a kernel argument; the launch leaves no room above it.
#include <cuda_runtime.h>

__global__ void halves(const int *in, int *out, int first)
{
    __shared__ int s[128];
    int half = threadIdx.x / 64;
    s[threadIdx.x] = in[threadIdx.x];
    asm volatile("bar.sync %0, 64;" ::"r"(first + half) : "memory"); // expect: named-id-range
    out[threadIdx.x] = s[threadIdx.x ^ 32];
}

void launch(const int *in, int *out)
{
    halves<<<1, 128>>>(in, out, 15);
}
