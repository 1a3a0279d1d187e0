// pedantic: what stands under more than the smaller of two numbers is for nobody
//
// The number of stages is the smaller of two numbers, written as a choice, and the number of rows the
// greater of two.
#include <cuda_runtime.h>

constexpr int MOST_STAGES = 3, LEAST_ROWS = 5;

__global__ void padded(float *out, int chunks)
{
    const int stages = chunks < MOST_STAGES ? chunks : MOST_STAGES;
    if (stages > MOST_STAGES && threadIdx.x < 64)
        __syncthreads();
    int left = MOST_STAGES;
    if (chunks <= MOST_STAGES)
        left = chunks;
    if (left == MOST_STAGES + 1 && threadIdx.x < 64)
        __syncthreads();
    const int rows = chunks > LEAST_ROWS ? chunks : LEAST_ROWS;
    if (rows < LEAST_ROWS && threadIdx.x < 64)
        __syncthreads();
    out[threadIdx.x] = rows - stages + left;
}

void run(float *out, int chunks)
{
    padded<<<1, 128>>>(out, chunks);
}
