// Each slice of a tile leaves its part of the sum and counts itself; the last one waits for the
// count and adds the parts up. The parts are stored by all threads of a block, and nobody fences
// them: the barrier orders the block's own threads alone.
#include <cuda_runtime.h>

__global__ void __launch_bounds__(128) columns(const float *matrix, const float *x, float *part,
                                               int *counted, float *y, int rows, int slices)
{
    const int slice = blockIdx.y, column = blockIdx.x * 128 + threadIdx.x;
    const int width = gridDim.x * 128;
    float sum = 0;
    for (int row = slice; row < rows; row += slices)
        sum += matrix[(size_t)row * width + column] * x[row];
    if (slice != slices - 1) {
        part[slice * width + column] = sum;
        __syncthreads();
        if (threadIdx.x == 0)
            atomicAdd(&counted[blockIdx.x], 1); // expect: sync-missing
    } else {
        if (threadIdx.x == 0)
            while (*(volatile int *)&counted[blockIdx.x] < slices - 1) {
            }
        __threadfence();
        __syncthreads();
        for (int other = 0; other < slices - 1; ++other)
            sum += part[other * width + column];
        y[column] = sum;
    }
}

void launch(const float *matrix, const float *x, float *part, int *counted, float *y, int rows)
{
    columns<<<dim3(8, 4), 128>>>(matrix, x, part, counted, y, rows, 4);
}
