// One word for all threads, which nobody knows here: behind a barrier, in another array, in a block
// of one warp, and where who has that word leaves it alone.
#include <cuda_runtime.h>

__global__ void relative(const float *in, float *out, int row)
{
    __shared__ float value[128], scale[128];
    value[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    float base = value[row];
    scale[threadIdx.x] = base;
    if (threadIdx.x != row)
        value[threadIdx.x] -= base;
    __syncthreads();
    out[threadIdx.x] = value[127 - threadIdx.x] * scale[127 - threadIdx.x];
}

__global__ void alone(const float *in, float *out, int row)
{
    __shared__ float value[32];
    value[threadIdx.x] = in[threadIdx.x];
    __syncwarp();
    float base = value[row];
    __syncwarp();
    value[threadIdx.x] = base;
    __syncwarp();
    out[threadIdx.x] = value[31 - threadIdx.x];
}

__global__ void in_parts(const float *in, float *out, int row, int rows)
{
    __shared__ float value[2][128];
    for (int i = 0; i < rows; ++i) {
        value[i & 1][threadIdx.x] = in[i * 128 + threadIdx.x];
        __syncthreads();
        out[i * 128 + threadIdx.x] = value[i & 1][row];
    }
}

void launch(const float *in, float *out, int row, int rows)
{
    relative<<<1, 128>>>(in, out, row);
    alone<<<1, 32>>>(in, out, row);
    in_parts<<<1, 128>>>(in, out, row, rows);
}
