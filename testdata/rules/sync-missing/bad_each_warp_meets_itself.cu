// The barrier counts one warp, so that each of the two makes it up alone: neither has waited for the
// other, whatever number both use.
#include <cuda_runtime.h>

__device__ void meet()
{
    asm volatile("bar.sync 3, 32;" ::: "memory");
}

__global__ void __launch_bounds__(64) pass_on(const int *__restrict__ in, int *__restrict__ out, int rounds)
{
    __shared__ int seed;
    if (threadIdx.x < 32) {
        for (int r = 0; r < rounds; ++r) {
            if (threadIdx.x == 0)
                seed = in[r];
            meet();
            meet();
        }
    } else {
        for (int r = 0; r < rounds; ++r) {
            meet();
            out[r * 32 + threadIdx.x - 32] = seed * threadIdx.x; // expect: sync-missing
            meet();
        }
    }
}

void run(const int *in, int *out, int rounds)
{
    pass_on<<<1, 64>>>(in, out, rounds);
}
