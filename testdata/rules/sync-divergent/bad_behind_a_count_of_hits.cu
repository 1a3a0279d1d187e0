// All threads count the same hits in a loop that nobody knows the length of. Only where there are
// several does the block go on, and then half of it alone.
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
        if (threadIdx.x < 64) {
            __syncthreads(); // expect: sync-divergent
            data[threadIdx.x] += row[threadIdx.x + 64];
        }
    }
}

void run(const int *marks, float *data, int length)
{
    sums<<<1, 128>>>(marks, data, length);
}
