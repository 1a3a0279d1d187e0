// A size that the caller gives says which row a thread works on: what belongs to that row has been
// stored by another thread.
#include <cuda_runtime.h>

__global__ void rows_scaled(const float *scale, float *out, int rows, int width)
{
    __shared__ float of_row[256];
    if (threadIdx.x < rows)
        of_row[threadIdx.x] = scale[threadIdx.x];
    for (int i = threadIdx.x; i < rows * width; i += 256)
        out[i] *= of_row[i / width]; // expect: sync-missing
    __syncthreads();
}

__global__ void steps_of_elimination(float *all, int n)
{
    __shared__ float a[64 * 64];
    for (int i = threadIdx.x; i < 64 * 64; i += 128)
        a[i] = all[i];
    __syncthreads();
    for (int k = 0; k < n; ++k) {
        for (int i = k + 1 + threadIdx.x; i < n; i += 128)
            a[i * 64 + k] /= a[k * 64 + k];
        const int left = n - k - 1;
        for (int q = threadIdx.x; q < left * left; q += 128) {
            const int i = k + 1 + q / left, j = k + 1 + q % left;
            a[i * 64 + j] -= a[i * 64 + k] * a[k * 64 + j]; // expect: sync-missing
        }
        __syncthreads();
    }
    for (int i = threadIdx.x; i < 64 * 64; i += 128)
        all[i] = a[i];
}

void run(const float *scale, float *out, int rows, int width)
{
    rows_scaled<<<1, 256>>>(scale, out, rows, width);
    steps_of_elimination<<<1, 128>>>(out, rows);
}
