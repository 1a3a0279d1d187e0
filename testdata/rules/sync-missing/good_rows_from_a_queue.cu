// A lane of each warp takes the number of a row from a queue: that tells nobody of the row before. The
// block is told of behind its barrier.
#include <cuda_runtime.h>

__global__ void take_rows(float *out, const float *in, unsigned *queue, unsigned *done, int n) {
    int lane = threadIdx.x % 32;
    unsigned row = 0;
    while (true) {
        if (lane == 0) row = atomicAdd(queue, 1u);
        row = __shfl_sync(~0u, row, 0);
        if (row >= n) break;
        out[row * 32 + lane] = in[row * 32 + lane] * 2;
        __threadfence();
    }
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(done, 1u);
}

void run(float *out, const float *in, unsigned *queue, unsigned *done, int rows)
{
    take_rows<<<4, 128>>>(out, in, queue, done, rows);
}
