// The rows of a tile that lie behind the last row of the image leave, and the others read what
// these should have stored.
#include <cuda_runtime.h>

constexpr int tile = 16;

__global__ void below(const float *image, float *out, int rows, int cols)
{
    __shared__ float part[tile][tile];
    int x = threadIdx.x, y = threadIdx.y;
    int corner = cols * tile * blockIdx.y + tile * blockIdx.x;
    if (corner + cols * y >= rows * cols)
        return;
    part[y][x] = image[corner + cols * y + x];
    __syncthreads(); // expect: exit-before-sync
    out[corner + cols * y + x] = part[(y + 1) % tile][x];
}

void launch(const float *image, float *out, int rows, int cols)
{
    below<<<dim3(cols / tile, (rows + tile - 1) / tile), dim3(tile, tile)>>>(image, out, rows, cols);
}
