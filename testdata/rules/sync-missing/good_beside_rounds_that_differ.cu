// All threads go through the same number of rounds, whatever the number of rows is.
#include <cuda_runtime.h>

__global__ void column(const float *in, float *out, int rows)
{
    __shared__ float tile[256];
    __shared__ float scale;
    const int t = threadIdx.x;
    float sum = 0;
    for (int first = 0; first < rows; first += 256) {
        tile[t] = first + t < rows ? in[first + t] : 0;
        __syncthreads();
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
}
