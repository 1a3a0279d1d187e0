// Rows of a tile are smoothed with the row below. The row under the tile's last one is set by the
// first warp, which takes over what the last warp has just stored: a barrier should come first.
#include <cuda_runtime.h>

constexpr int WIDTH = 32, ROWS = 8;

__global__ void smooth_down(float *out, const float *in, int height)
{
    __shared__ float tile[ROWS + 1][WIDTH];
    const int first = blockIdx.x * ROWS;
    const int filled = min(ROWS, height - first);
    const int row = first + threadIdx.y;

    if (row < height)
        tile[threadIdx.y][threadIdx.x] = in[row * WIDTH + threadIdx.x];
    if (threadIdx.y == 0)
        tile[filled][threadIdx.x] = first + filled < height
                                        ? in[(first + filled) * WIDTH + threadIdx.x]
                                        : tile[filled - 1][threadIdx.x]; // expect: sync-missing
    __syncthreads();
    if (row < height)
        out[row * WIDTH + threadIdx.x] =
            0.5f * (tile[threadIdx.y][threadIdx.x] + tile[threadIdx.y + 1][threadIdx.x]);
}

void smooth(float *out, const float *in, int height)
{
    smooth_down<<<(height + ROWS - 1) / ROWS, dim3(WIDTH, ROWS)>>>(out, in, height);
}
