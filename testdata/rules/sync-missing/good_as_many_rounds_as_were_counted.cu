// The rows that are to be turned round are counted first; each is read before the next one comes.
#include <cuda_runtime.h>

__global__ void turn(const int *wanted, float *data, int rows)
{
    __shared__ float row[128];
    int rounds = 0;
    for (int i = 0; i < rows; ++i) {
        if (wanted[i])
            ++rounds;
    }
    for (int r = 0; r < rounds; ++r) {
        row[threadIdx.x] = data[r * 128 + threadIdx.x];
        __syncthreads();
        data[r * 128 + threadIdx.x] = row[127 - threadIdx.x];
        __syncthreads();
    }
}

void run(const int *wanted, float *data, int rows)
{
    turn<<<1, 128>>>(wanted, data, rows);
}
