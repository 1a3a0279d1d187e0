// One thread fences and tells other blocks, as soon as it has written itself.
#include <cuda_runtime.h>

__device__ void post(int *ready)
{
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(ready, 1);
    }
}

__global__ void produce(const float *in, float *rows, int *ready, int count)
{
    for (int row = blockIdx.x; row < count; row += gridDim.x) {
        rows[row * 256 + threadIdx.x] = in[row * 256 + threadIdx.x] * 0.5f;
        post(&ready[row]); // expect: sync-missing
        __syncthreads();
    }
}

__global__ void produce_halves(const float *in, float *halves, volatile int *flag, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        halves[i] = in[i] * 0.5f;
    if (threadIdx.x == 0) {
        __threadfence();
        flag[blockIdx.x] = 1; // expect: sync-missing
    }
    __syncthreads();
}

void run(const float *in, float *rows, int *ready, int n)
{
    produce<<<64, 256>>>(in, rows, ready, n);
    produce_halves<<<(n + 127) / 128, 128>>>(in, rows, ready, n);
}
