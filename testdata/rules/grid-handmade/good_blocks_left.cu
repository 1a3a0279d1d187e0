// How many blocks are left is counted in one word, and the next tile is waited for in another, which
// an earlier block writes.
#include <cuda_runtime.h>

__global__ void scan(const int *in, int *sum, int *left, int *out)
{
    if (threadIdx.x == 0) {
        int before = 0;
        if (blockIdx.x > 0) {
            volatile int *told = sum;
            do {
                before = told[blockIdx.x - 1];
            } while (before == 0);
        }
        __threadfence();
        atomicExch(&sum[blockIdx.x], before + in[blockIdx.x]);
        if (atomicAdd(left, -1) == 1)
            *out = before + in[blockIdx.x];
    }
    __syncthreads();
}

void run(const int *in, int *sum, int *left, int *out)
{
    scan<<<4096, 256>>>(in, sum, left, out);
}
