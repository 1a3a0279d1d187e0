// The next tile is stored while slow warps still load their fragments of the last one.
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

__global__ void product(const half *a, const half *b, float *c, int steps)
{
    __shared__ half left[32 * 16], right[16 * 32];
    const int warp = threadIdx.x / 32, row = warp / 2 * 16, column = warp % 2 * 16;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int step = 0; step < steps; ++step) {
        for (int i = threadIdx.x; i < 512; i += 128) {
            left[i] = a[step * 512 + i];  // expect: sync-missing
            right[i] = b[step * 512 + i]; // expect: sync-missing
        }
        __syncthreads();
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> x;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> y;
        wmma::load_matrix_sync(x, left + row * 16, 16);
        wmma::load_matrix_sync(y, right + column, 32);
        wmma::mma_sync(sum, x, y, sum);
    }
    wmma::store_matrix_sync(c + row * 32 + column, sum, 32, wmma::mem_row_major);
}

__global__ void rows_of_sums(const float *in, float *out)
{
    __shared__ float tile[32 * 32];
    const int warp = threadIdx.x / 32;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> part;
    wmma::load_matrix_sync(part, in + warp * 256, 16, wmma::mem_col_major);
    wmma::store_matrix_sync(tile + warp / 2 * 512 + warp % 2 * 16, part, 32, wmma::mem_row_major);
    float sum = 0;
    for (int i = 0; i < 32; ++i)
        sum += tile[threadIdx.x % 32 * 32 + i]; // expect: sync-missing
    out[threadIdx.x] = sum;
}

void launch(const half *a, const half *b, float *c, int steps)
{
    product<<<1, 128>>>(a, b, c, steps);
    rows_of_sums<<<1, 128>>>(c, c);
}
