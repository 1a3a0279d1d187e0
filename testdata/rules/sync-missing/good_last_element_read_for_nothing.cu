// Several elements a thread at once: beyond the end of the row the last one is read, and not used.
#include <cuda_runtime.h>

__global__ void divided(float *rows, int width)
{
    float *row = rows + blockIdx.x * width;
    __shared__ float sum;
    if (threadIdx.x == 0)
        sum = row[0];
    __syncthreads();
    for (int i = threadIdx.x; i < width; i += 4 * blockDim.x) {
        float kept[4];
        for (int k = 0; k < 4; ++k)
            kept[k] = row[min(width - 1, int(i + k * blockDim.x))];
        for (int k = 0; k < 4; ++k) {
            if (i + k * blockDim.x < width)
                row[i + k * blockDim.x] = kept[k] / sum;
        }
    }
}

void run(float *rows)
{
    divided<<<64, 128>>>(rows, 337);
}
