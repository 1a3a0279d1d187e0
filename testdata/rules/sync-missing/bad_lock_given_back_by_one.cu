// The blocks add their rows one after the other. Thread 0 takes the lock and gives it back, without
// waiting until the others have added.
#include <cuda_runtime.h>

__device__ int lock_of_row;

__global__ void add_up(const float *__restrict__ in, int rows, float *row)
{
    float sum = 0;
    for (int r = blockIdx.x; r < rows; r += gridDim.x)
        sum += in[r * blockDim.x + threadIdx.x];
    if (threadIdx.x == 0) {
        while (atomicCAS(&lock_of_row, 0, 1) != 0) {
        }
    }
    __syncthreads();
    row[threadIdx.x] += sum;
    __threadfence();
    if (threadIdx.x == 0)
        atomicExch(&lock_of_row, 0); // expect: sync-missing
}

void run(const float *in, int rows, float *row)
{
    add_up<<<64, 256>>>(in, rows, row);
}
