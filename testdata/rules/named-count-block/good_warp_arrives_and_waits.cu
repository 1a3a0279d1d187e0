// All warps arrive, the first one among them, and the first one then waits at the same barrier: it
// is counted twice, so the count is a warp more than the block has.
#include <cuda_runtime.h>

enum { THREADS = 256, COUNT = THREADS + 32 };

__global__ void __launch_bounds__(THREADS) gather(const float *in, float *out)
{
    __shared__ float tile[THREADS];
    tile[threadIdx.x] = in[blockIdx.x * THREADS + threadIdx.x];
    asm volatile("bar.arrive %0, %1;" ::"r"(1), "r"(COUNT) : "memory");
    if (threadIdx.x / 32 == 0) {
        asm volatile("bar.sync %0, %1;" ::"r"(1), "r"(COUNT) : "memory");
        float sum = 0;
        for (int i = threadIdx.x; i < THREADS; i += 32)
            sum += tile[i];
        out[blockIdx.x * 32 + threadIdx.x] = sum;
    }
}

void run(const float *in, float *out)
{
    gather<<<64, THREADS>>>(in, out);
}
