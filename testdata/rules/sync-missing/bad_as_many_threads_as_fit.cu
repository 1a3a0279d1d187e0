// The host cuts the block down by min(): it has the bound's threads where there is enough to do.
#include <cuda_runtime.h>

__global__ void turn_round(const float *in, float *out)
{
    __shared__ float row[256];
    const int last = blockDim.x - 1;
    row[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
    out[blockIdx.x * blockDim.x + threadIdx.x] = row[last - threadIdx.x]; // expect: sync-missing
}

void launch(const float *in, float *out, int rows, int columns, int bound)
{
    int threads = min(columns, 256);
    turn_round<<<min(rows, bound), threads>>>(in, out);
}
