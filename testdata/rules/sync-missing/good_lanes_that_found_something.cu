// Lanes store what they find in their data into a word of their warp, and the warp meets before
// another lane looks at it.
#include <cuda_runtime.h>

__global__ void diagonal_of_rows(const int *rows, const int *columns, const float *values,
                                 float *diagonal, int count)
{
    __shared__ float found[8];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int row = blockIdx.x * 8 + warp; row < count; row += gridDim.x * 8) {
        if (lane == 0)
            found[warp] = 0.0f;
        __syncwarp();
        for (int at = rows[row] + lane; __any_sync(0xffffffffu, at < rows[row + 1]); at += 32) {
            if (at < rows[row + 1] && columns[at] == row)
                found[warp] = values[at];
        }
        __syncwarp();
        if (lane == 0)
            diagonal[row] = found[warp];
        __syncwarp();
    }
}

__global__ void starts_of_runs(const int *keys, int *starts, int *runs)
{
    __shared__ int place[256];
    int *own = place + threadIdx.x / 32 * 32;
    const int lane = threadIdx.x % 32, at = blockIdx.x * 256 + threadIdx.x;
    own[lane] = -1;
    __syncwarp();
    if (at == 0 || keys[at] != keys[at - 1])
        own[lane] = at;
    __syncwarp();
    if (lane == 0) {
        int count = 0;
        for (int i = 0; i < 32; ++i)
            count += own[i] >= 0;
        runs[at / 32] = count;
    }
    __syncwarp();
    starts[at] = own[lane];
}

void launch(const int *rows, const int *columns, const float *values, float *diagonal, int count,
            int *starts, int *runs)
{
    diagonal_of_rows<<<64, 256>>>(rows, columns, values, diagonal, count);
    starts_of_runs<<<16, 256>>>(columns, starts, runs);
}
