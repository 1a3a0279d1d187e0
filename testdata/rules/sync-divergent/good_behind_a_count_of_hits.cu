// All threads count the same hits, so that all come to the barrier or none.
#include <cuda_runtime.h>

__global__ void sums(const int *marks, float *data, int length)
{
    __shared__ float row[128];
    int hits = 0;
    for (int i = 0; i < length; ++i) {
        if (marks[i] > 0)
            ++hits;
    }
    row[threadIdx.x] = data[threadIdx.x];
    if (hits > 3) {
        __syncthreads();
        if (threadIdx.x < 64)
            data[threadIdx.x] += row[threadIdx.x + 64];
    }
}

void run(const int *marks, float *data, int length)
{
    sums<<<1, 128>>>(marks, data, length);
}
