// The count is made from the warps that stay.
#include <cuda_runtime.h>

__global__ void rows(const float *__restrict__ in, float *__restrict__ out, int count)
{
    __shared__ float sum[8];
    const int row = threadIdx.x / 32;
    if (row >= count)
        return;
    sum[row] = in[row * 32 + threadIdx.x % 32];
    asm volatile("bar.sync 1, %0;" ::"r"(count * 32) : "memory");
    out[threadIdx.x] = sum[(row + 1) % count];
}

void run(const float *in, float *out)
{
    rows<<<1, 256>>>(in, out, 5);
    rows<<<1, 256>>>(in, out, 8);
}
