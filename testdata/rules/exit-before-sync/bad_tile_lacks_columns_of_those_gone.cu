// Rows of the product beyond the last return, and with them the columns of the second factor's tile
// that their threads should have loaded.
#include <cuda_runtime.h>

constexpr int tile = 16;

__global__ void multiply(const float *a, const float *b, float *c, int rows, int width)
{
    __shared__ float left[tile][tile], right[tile][tile];
    const int row = blockIdx.y * tile + threadIdx.y, column = blockIdx.x * tile + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int k = 0; k < width; k += tile) {
        left[threadIdx.y][threadIdx.x] = a[row * width + k + threadIdx.x];
        right[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * width + column];
        __syncthreads(); // expect: exit-before-sync
        for (int i = 0; i < tile; ++i)
            sum += left[threadIdx.y][i] * right[i][threadIdx.x];
        __syncthreads();
    }
    c[row * width + column] = sum;
}

void run(const float *a, const float *b, float *c, int rows, int width)
{
    const dim3 grid(width / tile, (rows + tile - 1) / tile), block(tile, tile);
    multiply<<<grid, block>>>(a, b, c, rows, width);
}
