// Partial sums of one tile of rows are added up by one thread of each row, while the others go on
// and store those of the next tile, for any number of rows.
#include <cuda_runtime.h>

template <int Rows, int Parts>
__global__ void __launch_bounds__(Rows *Parts) row_sums(const float *__restrict__ in,
                                                        float *__restrict__ out, int rows, int n)
{
    __shared__ float part[Rows * Parts];
    const int row_of = threadIdx.x % Rows, part_of = threadIdx.x / Rows;
    for (int tile = 0; tile < (rows + Rows - 1) / Rows; ++tile) {
        const int row = tile * Rows + row_of;
        if (row < rows) {
            float sum = 0.0f;
            for (int i = part_of; i < n; i += Parts)
                sum += in[row * n + i];
            part[threadIdx.x] = sum; // expect: sync-missing
        }
        __syncthreads();
        if (row < rows && part_of == 0) {
            float sum = 0.0f;
            for (int p = 0; p < Parts; ++p)
                sum += part[p * Rows + row_of];
            out[row] = sum;
        }
    }
}

void run(const float *in, float *out, int rows, int n)
{
    row_sums<16, 8><<<1, 128>>>(in, out, rows, n);
}
