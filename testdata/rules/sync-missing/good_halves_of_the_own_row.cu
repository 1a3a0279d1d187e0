// Each warp weighs a row of its own, in place. How many numbers of a row count is data, but nobody
// means what lies behind the row, whoever is given the address of a number: half reads it in an
// operator.
#include <cuda_fp16.h>

constexpr int LONGEST = 48;

__global__ void weigh_rows(const half *scores, half *weights, const int *starts, float scale)
{
    __shared__ half rows[LONGEST][LONGEST + 8];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int count = starts[blockIdx.x + 1] - starts[blockIdx.x];
    for (int i = threadIdx.x; i < LONGEST * LONGEST; i += blockDim.x)
        rows[i / LONGEST][i % LONGEST] = scores[i];
    __syncthreads();
    for (int row = warp; row < count; row += blockDim.x / 32) {
        float weight[2];
        for (int i = 0; i < 2; ++i) {
            const int column = lane + i * 32;
            weight[i] = column < count ? (float)rows[row][column] * scale : 0.0f;
        }
        for (int i = 0; i < 2; ++i) {
            const int column = lane + i * 32;
            if (column < LONGEST)
                rows[row][column] = (half)weight[i];
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < LONGEST * LONGEST; i += blockDim.x)
        weights[i] = rows[i / LONGEST][i % LONGEST];
}

void weigh(const half *scores, half *weights, const int *starts, int batches)
{
    weigh_rows<<<batches, 384>>>(scores, weights, starts, 0.125f);
}
