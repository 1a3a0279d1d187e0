// Every thread stores what it takes for the block's row and its bias: some look in another place, and
// each has summed up a part of its own, so that a thread may read what another one has stored.
#include <cuda_runtime.h>

__global__ void scaled(const int *rows, const float *in, float *out, int n)
{
    __shared__ int row;
    __shared__ float bias, tile[256];
    int mine = rows[blockIdx.x];
    if (threadIdx.x >= 128)
        mine = rows[blockIdx.x + 1];
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += 256)
        sum += in[i];
    row = mine;
    bias = sum;
    tile[threadIdx.x] = in[row * 256 + threadIdx.x]; // expect: sync-missing
    __syncthreads();
    out[threadIdx.x] = tile[255 - threadIdx.x];
    __syncthreads();
    bias = sum;
    out[threadIdx.x] += bias; // expect: sync-missing
}

void launch(const int *rows, const float *in, float *out, int n)
{
    scaled<<<64, 256>>>(rows, in, out, n);
}
