// The tile of the next diagonal is relaxed in the shared memory that the rounds before it still
// read, in a block of 1024 threads that have read a row and a column each.
#include <cuda_runtime.h>

__global__ void relax(int *dist, const int *rows, const int *cols, int width, int step)
{
    __shared__ int row[32 * 32], col[32 * 32];
    int i = threadIdx.x / 32, j = threadIdx.x % 32;
    int at = (blockIdx.y * 32 + i) * width + blockIdx.x * 32 + j;
    row[i * 32 + j] = rows[(step * 32 + i) * width + blockIdx.x * 32 + j];
    col[i * 32 + j] = cols[(blockIdx.y * 32 + i) * width + step * 32 + j];
    int best = dist[at];
    const int before = best;
    __syncthreads();
    for (int k = 0; k < 32; ++k)
        best = min(best, col[i * 32 + k] + row[k * 32 + j]);
    if (blockIdx.x == blockIdx.y && blockIdx.x == step + 1) {
        for (int k = 0; k < 32; ++k) {
            if (i == k)
                row[k * 32 + j] = best; // expect: sync-missing
            __syncthreads();
            best = min(best, __shfl_sync(~0u, best, k) + row[k * 32 + j]);
        }
    }
    if (best != before)
        dist[at] = best;
}

void launch(int *dist, const int *rows, const int *cols, int tiles, int step)
{
    relax<<<dim3(tiles, tiles), 1024>>>(dist, rows, cols, tiles * 32, step);
}
