// A size that the caller gives says which row a thread works on: behind a barrier, by the number that
// the launch passes, or where one thread of each row has stored what belongs to it.
#include <cuda_runtime.h>

__global__ void rows_scaled(const float *scale, float *out, int rows, int width)
{
    __shared__ float of_row[256];
    if (threadIdx.x < rows)
        of_row[threadIdx.x] = scale[threadIdx.x];
    __syncthreads();
    for (int i = threadIdx.x; i < rows * width; i += 256)
        out[i] *= of_row[i / width];
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
        __syncthreads();
        const int left = n - k - 1;
        for (int q = threadIdx.x; q < left * left; q += 128) {
            const int i = k + 1 + q / left, j = k + 1 + q % left;
            a[i * 64 + j] -= a[i * 64 + k] * a[k * 64 + j];
        }
        __syncthreads();
    }
    for (int i = threadIdx.x; i < 64 * 64; i += 128)
        all[i] = a[i];
}

__global__ void rows_by_one(const float *in, float *out, int width)
{
    __shared__ float first[256];
    if (threadIdx.x % width == 0)
        first[threadIdx.x / width] = in[threadIdx.x];
    __syncwarp();
    out[threadIdx.x] = in[threadIdx.x] - first[threadIdx.x / width];
    __syncthreads();
}

__global__ void warps_as_rows(const float *in, float *out, int width)
{
    __shared__ float first[8];
    if (threadIdx.x % 32 == 0)
        first[threadIdx.x / 32] = in[threadIdx.x];
    __syncwarp();
    out[threadIdx.x] = in[threadIdx.x] - first[threadIdx.x / width];
    __syncthreads();
}

void run(const float *scale, float *out, int rows, int width)
{
    rows_scaled<<<1, 256>>>(scale, out, rows, width);
    rows_by_one<<<1, 256>>>(scale, out, 16);
    warps_as_rows<<<1, 256>>>(scale, out, 32);
    steps_of_elimination<<<1, 128>>>(out, rows);
}
