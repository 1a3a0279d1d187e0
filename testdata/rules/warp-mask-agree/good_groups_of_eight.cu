// Eight lanes share a row, and rows differ in length: lanes of one group leave their loop together,
// and each operation names the lanes of its own group.
#include <cuda_runtime.h>

__device__ float sum_of_group(float value, unsigned mask)
{
    for (int step = 4; step > 0; step /= 2)
        value += __shfl_down_sync(mask, value, step, 8);
    return value;
}

__global__ void row_sums(const int *__restrict__ begin, const float *__restrict__ in,
                         float *__restrict__ out, int rows)
{
    __shared__ float last[16][8];
    const int group = threadIdx.x / 8, lane = threadIdx.x % 8;
    const int row = blockIdx.x * 16 + group;
    const unsigned mask = 0xffu << (threadIdx.x % 32 / 8 * 8);
    if (row < rows) {
        const int from = begin[row], to = begin[row + 1];
        float sum = 0;
        for (int i = from; i < to; i += 8) {
            last[group][lane] = i + lane < to ? in[i + lane] : 0;
            __syncwarp(mask);
            sum += sum_of_group(last[group][7 - lane], mask);
            __syncwarp(mask);
        }
        if (lane == 0)
            out[row] = sum;
    }
}

void run(const int *begin, const float *in, float *out, int rows)
{
    row_sums<<<(rows + 15) / 16, 128>>>(begin, in, out, rows);
}
