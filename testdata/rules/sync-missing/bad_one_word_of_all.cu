// All threads read the word that a number of the host names; whichever it is, some other warp has
// stored it, and stores it anew.
#include <cuda_runtime.h>

__global__ void relative(const float *in, float *out, int row)
{
    __shared__ float value[128];
    value[threadIdx.x] = in[threadIdx.x];
    float base = value[row]; // expect: sync-missing
    out[threadIdx.x] = value[threadIdx.x] - base;
    __syncthreads();
    value[threadIdx.x] -= base;
    __syncthreads();
    out[128 + threadIdx.x] = value[127 - threadIdx.x];
}

__global__ void best(const int *found, const float *in, float *out)
{
    __shared__ float value[256];
    __shared__ int chosen;
    value[threadIdx.x] = in[threadIdx.x];
    if (threadIdx.x == 0)
        chosen = found[blockIdx.x];
    __syncthreads();
    float most = value[chosen];
    value[threadIdx.x] = 0; // expect: sync-missing
    __syncthreads();
    out[threadIdx.x] = most + value[255 - threadIdx.x];
}

__global__ void in_parts(const float *in, float *out, int row, int rows)
{
    __shared__ float value[2][128];
    for (int i = 0; i < rows; ++i) {
        value[i & 1][threadIdx.x] = in[i * 128 + threadIdx.x];
        out[i * 128 + threadIdx.x] = value[i & 1][row]; // expect: sync-missing
        __syncthreads();
    }
}

void launch(const int *found, const float *in, float *out, int row, int rows)
{
    in_parts<<<1, 128>>>(in, out, row, rows);
    relative<<<1, 128>>>(in, out, row);
    best<<<64, 256>>>(found, in, out);
}
