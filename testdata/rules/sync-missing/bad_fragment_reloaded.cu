// Two tiles in turn go through one buffer: the barrier between the last load of a fragment from it
// and the next store into it is missing.
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

constexpr int edge = 16, warps = 4;

__global__ void multiply(const half *__restrict__ a, const half *__restrict__ b,
                         float *__restrict__ c, int tiles)
{
    __shared__ half left[warps][edge][edge], right[edge][edge];
    const int warp = threadIdx.x / 32;
    wmma::fragment<wmma::accumulator, edge, edge, edge, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int t = 0; t < tiles; ++t) {
        for (int i = threadIdx.x; i < warps * edge * edge; i += blockDim.x)
            left[i / (edge * edge)][i / edge % edge][i % edge] = a[t * warps * edge * edge + i]; // expect: sync-missing
        for (int i = threadIdx.x; i < edge * edge; i += blockDim.x)
            right[i / edge][i % edge] = b[t * edge * edge + i]; // expect: sync-missing
        __syncthreads();
        wmma::fragment<wmma::matrix_a, edge, edge, edge, half, wmma::row_major> x;
        wmma::fragment<wmma::matrix_b, edge, edge, edge, half, wmma::col_major> y;
        wmma::load_matrix_sync(x, &left[warp][0][0], edge);
        wmma::load_matrix_sync(y, &right[0][0], edge);
        wmma::mma_sync(sum, x, y, sum);
    }
    wmma::store_matrix_sync(c + warp * edge * edge, sum, edge, wmma::mem_row_major);
}

void run(const half *a, const half *b, float *c, int tiles)
{
    multiply<<<1, 32 * warps>>>(a, b, c, tiles);
}
