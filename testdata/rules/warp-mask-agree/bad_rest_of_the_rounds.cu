// The block goes on as long as its first thread has an element; in the last round lanes have none.
#include <cuda_runtime.h>

__global__ void norms(const float *rows, float *out, int columns)
{
    const float *row = rows + blockIdx.x * columns;
    float total = 0.0f;
    for (int first = 0; first < columns; first += blockDim.x) {
        const int column = first + threadIdx.x;
        if (column < columns) {
            float square = row[column] * row[column];
            for (int step = 16; step > 0; step /= 2)
                square += __shfl_xor_sync(0xffffffffu, square, step); // expect: warp-mask-agree
            total += square;
        }
    }
    if (threadIdx.x % 32 == 0)
        atomicAdd(&out[blockIdx.x], total);
}

void run(const float *rows, float *out, int count, int columns)
{
    norms<<<count, 128>>>(rows, out, columns);
}
