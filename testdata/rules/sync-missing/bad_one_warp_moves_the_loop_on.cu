// The first warp moves the cursor on that the others have yet to compare: some of them leave the
// loop a round early, and the barrier in it misses them.
#include <cuda_runtime.h>

struct cursor {
    int at, step;
    __device__ void advance()
    {
        if (threadIdx.x == 0)
            at += step; // expect: sync-missing
    }
};

__global__ void __launch_bounds__(128) skip(const int *__restrict__ limit, int *__restrict__ out)
{
    __shared__ cursor c;
    if (threadIdx.x == 0) {
        c.at = 0;
        c.step = 32;
    }
    __syncthreads();
    while (c.at < limit[0]) {
        if (threadIdx.x < 32)
            c.advance();
        __syncthreads();
    }
    out[threadIdx.x] = c.at;
}

void run(const int *limit, int *out)
{
    skip<<<1, 128>>>(limit, out);
}
