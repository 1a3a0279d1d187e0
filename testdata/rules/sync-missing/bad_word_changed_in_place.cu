// The lower half of a square is filled from the upper one while others double the words that it is
// filled from.
#include <cuda_runtime.h>

__global__ void mirror(const float *in, float *out)
{
    __shared__ float square[16 * 16];
    const int x = threadIdx.x, y = threadIdx.y, own = x + 16 * y;
    square[own] = in[own];
    __syncthreads();
    if (y > x)
        square[own] = square[x * 16 + y];
    else
        square[own] = 2 * square[own]; // expect: sync-missing
    __syncthreads();
    out[own] = square[own] + square[255 - own];
}

void run(const float *in, float *out)
{
    mirror<<<1, dim3(16, 16)>>>(in, out);
}
