// Nine launches, one of which passes half a block in the end.
#include <cuda_runtime.h>

__global__ void turn(double *out, const double *in, int count)
{
    __shared__ double held[64];
    for (int at = threadIdx.x; at < count; at += 64) {
        held[threadIdx.x] = in[at];
        __syncthreads(); // expect: sync-divergent-loop
        out[at] = held[63 - threadIdx.x];
        __syncthreads();
    }
}

void run(double *out, const double *in, int rows, int columns)
{
    turn<<<1, 64>>>(out, in, 64 * rows);
    turn<<<1, 64>>>(out, in, 64 * columns);
    turn<<<1, 64>>>(out, in, 128 * rows);
    turn<<<1, 64>>>(out, in, 128 * columns);
    turn<<<1, 64>>>(out, in, 256 * rows);
    turn<<<1, 64>>>(out, in, 256 * columns);
    turn<<<1, 64>>>(out, in, 64 * rows * columns);
    turn<<<1, 64>>>(out, in, 64 * rows + 64 * columns);

    turn<<<1, 64>>>(out, in, 32 * (rows - columns));
}
