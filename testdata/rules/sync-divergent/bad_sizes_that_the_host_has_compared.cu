// The host lets sizes by that are equal, or half of each other, and multiples of numbers of its own.
// With some of those a quarter of a block comes to a barrier that the others pass by; what no such
// sizes make true parts nobody.
#include <cuda_runtime.h>
#include <stdlib.h>

constexpr int kThreads = 128;

__global__ void __launch_bounds__(kThreads)
    fold(const float *__restrict__ in, float *__restrict__ out, int rows, int columns, int least, int half)
{
    __shared__ float line[kThreads];
    const int t = threadIdx.x, at = blockIdx.x * kThreads;
    line[t] = in[at + t];
    __syncthreads();
    if (rows != columns && t < kThreads / 2)
        __syncthreads();
    if (rows == 192 && half != 96 && t < kThreads / 8)
        __syncthreads();
    if (rows / least > 3 && columns - half == 48 && t < kThreads / 4)
        __syncthreads(); // expect: sync-divergent
    out[at + t] = line[kThreads - 1 - t];
}

void launch(const float *in, float *out, int rows, int columns, int least, int half)
{
    if (rows != columns || 2 * half != columns || rows % 32 || columns % 24 || 3 * least > half)
        exit(1);
    fold<<<rows / 32, kThreads>>>(in, out, rows, columns, least, half);
}
