// The writers synchronise with __syncthreads(), which the loaders never reach.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __launch_bounds__(160) gemv(const float *__restrict__ a, const float *__restrict__ x,
                                            float *__restrict__ y, int n)
{
    __shared__ float part[128];
    cg::thread_block block = cg::this_thread_block();
    const int warp = threadIdx.x / 32;
    if (warp < 4) {
        float sum = 0.0f;
        for (int k = threadIdx.x; k < n; k += 128)
            sum += a[blockIdx.x * n + k] * x[k];
        part[threadIdx.x] = sum;
        block.sync(); // expect: sync-divergent
        if (warp == 0)
            y[blockIdx.x * 32 + threadIdx.x] =
                part[threadIdx.x] + part[threadIdx.x + 32] + part[threadIdx.x + 64];
    } else {
        for (int k = threadIdx.x - 128; k < n; k += 32)
            asm volatile("prefetch.global.L2 [%0];" ::"l"(x + k));
    }
}

void run(const float *a, const float *x, float *y, int rows, int n)
{
    gemv<<<rows, 160>>>(a, x, y, n);
}
