// The number of rounds is the thread's own.
#include <cuda_runtime.h>

__global__ void lists(const int *__restrict__ length, const int *__restrict__ item,
                      int *__restrict__ out)
{
    __shared__ int line[64];
    int sum = 0;
    for (int k = 0; k < length[threadIdx.x]; ++k) {
        line[threadIdx.x] = item[k * 64 + threadIdx.x]; // expect: sync-missing
        __syncthreads(); // expect: sync-divergent-loop
        sum += line[63 - threadIdx.x];
    }
    out[threadIdx.x] = sum;
}

void run(const int *length, const int *item, int *out)
{
    lists<<<1, 64>>>(length, item, out);
}
