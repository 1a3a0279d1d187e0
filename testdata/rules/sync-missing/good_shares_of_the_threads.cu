#include <cuda_runtime.h>

// A share is counted behind the barrier, or goes to words of the thread's own.
__global__ void tally(const int *word, int *out, int n)
{
    __shared__ int bin[8][8];
    __shared__ int last[256];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (lane < 8)
        bin[warp][lane] = 0;
    last[threadIdx.x] = 0;
    int share = (n + blockDim.x - 1) / blockDim.x, first = threadIdx.x * share;
    for (int i = first; i < n && i < first + share; ++i)
        last[threadIdx.x] += word[i];
    __syncthreads();
    for (int i = first; i < n && i < first + share; ++i) {
        int kind = word[i];
        atomicAdd(&bin[kind / 8][kind % 8], last[threadIdx.x]);
    }
    __syncthreads();
    if (threadIdx.x < 64)
        out[threadIdx.x] = bin[threadIdx.x / 8][threadIdx.x % 8];
}

void launch(const int *word, int *out, int n)
{
    tally<<<1, 256>>>(word, out, n);
}
