// The rows that are to be turned round are counted first. From the second round on a thread may
// fill the row while another one still reads the last.
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
        row[threadIdx.x] = data[r * 128 + threadIdx.x]; // expect: sync-missing
        __syncthreads();
        data[r * 128 + threadIdx.x] = row[127 - threadIdx.x];
    }
}

void run(const int *wanted, float *data, int rows)
{
    turn<<<1, 128>>>(wanted, data, rows);
}
