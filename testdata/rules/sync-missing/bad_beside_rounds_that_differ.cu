// Rows that no multiple of the block make some threads leave the loop early, and what they store
// then races with the reads of others, which is no matter of its own. But whatever the number of
// rows is, the scale is read with no barrier in the first kernel.
#include <cuda_runtime.h>

__global__ void column(const float *in, float *out, int rows)
{
    __shared__ float tile[256];
    __shared__ float scale;
    const int t = threadIdx.x;
    float sum = 0;
    for (int i = t; i < rows; i += 256) {
        tile[t] = in[i];
        __syncthreads(); // expect: sync-divergent-loop
        sum += tile[255 - t];
        __syncthreads();
    }
    if (t == 7)
        scale = 1 / sum;
    out[t] = sum * scale; // expect: sync-missing
}

__global__ void column_in_order(const float *in, float *out, int rows)
{
    __shared__ float tile[256];
    __shared__ float scale;
    const int t = threadIdx.x;
    float sum = 0;
    for (int i = t; i < rows; i += 256) {
        tile[t] = in[i];
        __syncthreads(); // expect: sync-divergent-loop
        sum += tile[255 - t];
        __syncthreads();
    }
    if (t == 7)
        scale = 1 / sum;
    __syncthreads();
    out[t] = sum * scale;
}

void launch(const float *in, float *out, int rows)
{
    column<<<1, 256>>>(in, out, rows);
    column_in_order<<<1, 256>>>(in, out, rows);
}
