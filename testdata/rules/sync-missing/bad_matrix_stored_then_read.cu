// Each warp stores its product to a tile of its own and scales it on the way out: the lanes store
// together, but none waits until the others' parts are there.
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

constexpr int WARPS = 4, SIDE = 16;

__global__ void scaled_product(const half *a, const half *b, const float *scale, float *out, int depth)
{
    __shared__ float tile[WARPS][SIDE * SIDE];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int column = (blockIdx.x * WARPS + warp) * SIDE;
    wmma::fragment<wmma::accumulator, SIDE, SIDE, SIDE, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int k = 0; k < depth; k += SIDE) {
        wmma::fragment<wmma::matrix_a, SIDE, SIDE, SIDE, half, wmma::row_major> left;
        wmma::fragment<wmma::matrix_b, SIDE, SIDE, SIDE, half, wmma::col_major> right;
        wmma::load_matrix_sync(left, a + k, depth);
        wmma::load_matrix_sync(right, b + (size_t)column * depth + k, depth);
        wmma::mma_sync(sum, left, right, sum);
    }
    wmma::store_matrix_sync(tile[warp], sum, SIDE, wmma::mem_row_major);
    for (int i = lane; i < SIDE * SIDE; i += 32) {
        const float value = tile[warp][i]; // expect: sync-missing
        out[(i / SIDE) * gridDim.x * WARPS * SIDE + column + i % SIDE] = value * scale[column + i % SIDE];
    }
}

void run(const half *a, const half *b, const float *scale, float *out, int depth, int columns)
{
    scaled_product<<<columns / (WARPS * SIDE), WARPS * 32>>>(a, b, scale, out, depth);
}
