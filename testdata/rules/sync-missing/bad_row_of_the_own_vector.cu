#include <cuda_runtime.h>

// Eight lanes have a row, whose length is data: lane 0 leaves the factor for them.
__global__ void scale_rows(const int *first, float *values, const float *diagonal, int rows)
{
    __shared__ float factor[32];
    const int row = blockIdx.x * 32 + threadIdx.y;
    if (row >= rows)
        return;
    const int begin = first[row], length = first[row + 1] - begin;
    if (threadIdx.x == 0)
        factor[threadIdx.y] = 1.f / diagonal[row];
    for (int i = threadIdx.x; i < length; i += 8)
        values[begin + i] *= factor[threadIdx.y]; // expect: sync-missing
}

void launch(const int *first, float *values, const float *diagonal, int rows)
{
    scale_rows<<<(rows + 31) / 32, dim3(8, 32)>>>(first, values, diagonal, rows);
}
