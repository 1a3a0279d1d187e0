// The host cuts the block down to a warp, whose lanes meet by themselves.
#include <cuda_runtime.h>

__global__ void turn_round(const float *in, float *out, int rounds)
{
    __shared__ float row[32];
    const int last = blockDim.x - 1;
    for (int i = 0; i < rounds; ++i) {
        row[threadIdx.x] = in[i * blockDim.x + threadIdx.x];
        __syncwarp();
        out[i * blockDim.x + threadIdx.x] = row[last - threadIdx.x];
        __syncwarp();
    }
    __syncthreads();
    if (threadIdx.x == 0)
        out[rounds * blockDim.x] = row[last];
}

void launch(const float *in, float *out, int rounds, int columns)
{
    turn_round<<<1, min(max(columns, 1), 32)>>>(in, out, rounds);
}
