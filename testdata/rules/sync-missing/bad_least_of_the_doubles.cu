// The least number of a block, in a word that begins as a constant of a floating type and is
// exchanged as a whole number, before all threads know of the constant.
#include <cuda_runtime.h>

__device__ void keep_least(double *word, double value)
{
    unsigned long long *bits = (unsigned long long *)word;
    unsigned long long old = *bits, expected;
    do {
        expected = old;
        old = atomicCAS(bits, expected,
                        __double_as_longlong(fmin(value, __longlong_as_double(expected))));
    } while (expected != old);
}

__global__ void least(const double *data, double2 *out, int n, int set)
{
    __shared__ double2 low;
    if (threadIdx.x == 0)
        low.x = low.y = 999999;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        keep_least(&low.x, data[i]); // expect: sync-missing
    __syncthreads();
    if (threadIdx.x == 0)
        keep_least(&out[set].x, low.x);
}

void run(const double *data, double2 *out, int n)
{
    for (int set = 0; set < 4; ++set)
        least<<<(n + 127) / 128, 128>>>(data, out, n, set);
}
