// Numbers of stages and rows are the smaller and the greater of two, written as choices. Of the
// barriers that some threads pass by one is reached: six rows may be, but not four stages.
#include <cuda_runtime.h>

constexpr int MOST_STAGES = 3, LEAST_ROWS = 5;

__global__ void padded(float *out, int chunks)
{
    __shared__ float tile[MOST_STAGES][128];
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
    if (rows == LEAST_ROWS + 1 && threadIdx.x < 64)
        __syncthreads(); // expect: sync-divergent
    tile[0][threadIdx.x] = 1;
    out[threadIdx.x] = tile[0][127 - threadIdx.x];
}

void run(float *out, int chunks)
{
    padded<<<1, 128>>>(out, chunks);
}
