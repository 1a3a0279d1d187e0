// Two warps meet at a named barrier in each round. One has the rounds in one loop; the other has
// the full ones and the masked ones, or the quotient and the remainder, in two.
#include <cuda_runtime.h>

__device__ void meet()
{
    asm volatile("bar.sync 1, 64;" ::: "memory");
}

__global__ void two_parts(int *out, int full, int masked)
{
    __shared__ int word;
    if (threadIdx.x < 32) {
        for (int r = 0; r < full + masked; ++r) {
            if (threadIdx.x == 0)
                word = r;
            meet();
            meet();
        }
    } else {
        for (int r = 0; r < full; ++r) {
            meet();
            out[r] = word;
            meet();
        }
        for (int r = 0; r < masked; ++r) {
            meet();
            out[full + r] = -word;
            meet();
        }
    }
}

__global__ void by_quotient(int *out, int n)
{
    __shared__ int word;
    if (threadIdx.x < 32) {
        for (int r = 0; r < n; ++r) {
            if (threadIdx.x == 0)
                word = r;
            meet();
            meet();
        }
    } else {
        for (int q = 0; q < n / 4; ++q) {
            for (int r = 0; r < 4; ++r) {
                meet();
                out[q * 4 + r] = word;
                meet();
            }
        }
        for (int r = 0; r < n % 4; ++r) {
            meet();
            out[n / 4 * 4 + r] = word;
            meet();
        }
    }
}

void run(int *out, int full, int masked)
{
    two_parts<<<1, 64>>>(out, full, masked);
    by_quotient<<<1, 64>>>(out, full);
}
