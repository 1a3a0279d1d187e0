// Half a warp works on each row and names the whole of it: the host makes as many blocks as the rows
// take, rounded up, but no more than so many.
#include <cuda_runtime.h>

template <int Threads>
__global__ void row_sums(const float *value, float *sum, int rows)
{
    const int team = threadIdx.x / 16, lane = threadIdx.x % 16;
    for (int row = blockIdx.x * (Threads / 16) + team; row < rows;
         row += gridDim.x * (Threads / 16)) {
        float own = value[row * 16 + lane];
        for (int step = 8; step > 0; step /= 2)
            own += __shfl_xor_sync(0xffffffffu, own, step); // expect: warp-mask-agree
        if (lane == 0)
            sum[row] = own;
    }
}

void launch(const float *value, float *sum, int rows)
{
    const int blocks = (rows + 7) / 8, most = 1024;
    const int grid = blocks < most ? blocks : most;
    row_sums<128><<<grid, 128>>>(value, sum, rows);
}
