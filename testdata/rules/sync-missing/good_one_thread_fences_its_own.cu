// One thread fences and tells other blocks: behind a barrier, of what it wrote itself, or of what
// its own part of the block wrote.
#include <cuda_runtime.h>

__device__ void post(int *ready)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(ready, 1);
    }
}

__global__ void produce(const float *in, float *rows, int *ready, int count)
{
    for (int row = blockIdx.x; row < count; row += gridDim.x) {
        rows[row * 256 + threadIdx.x] = in[row * 256 + threadIdx.x] * 0.5f;
        post(&ready[row]);
    }
}

__global__ void own_sum(const float *in, float *out, float *sum, volatile int *flag)
{
    __shared__ float part[8];
    float value = in[blockIdx.x * 256 + threadIdx.x];
    out[blockIdx.x * 256 + threadIdx.x] = value * value;
    for (int step = 16; step > 0; step /= 2)
        value += __shfl_xor_sync(0xffffffff, value, step);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = value;
    __syncthreads();
    out[blockIdx.x * 256 + threadIdx.x] = value;
    if (threadIdx.x == 0) {
        float all = 0;
        for (int i = 0; i < 8; ++i)
            all += part[i];
        sum[blockIdx.x] = all;
        __threadfence();
        flag[blockIdx.x] = 1;
    }
}

__global__ void by_halves(const float *in, float *out, int *ready)
{
    int half = threadIdx.x / 128;
    out[blockIdx.x * 256 + threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x] * 0.5f;
    asm volatile("bar.sync %0, 128;" ::"r"(half + 1) : "memory");
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(&ready[2 * blockIdx.x], 1);
    }
    if (threadIdx.x == 128) {
        __threadfence();
        atomicAdd(&ready[2 * blockIdx.x + 1], 1);
    }
}

void run(const float *in, float *rows, int *ready, int n)
{
    produce<<<64, 256>>>(in, rows, ready, n);
    own_sum<<<n / 256, 256>>>(in, rows, rows + n, ready);
    by_halves<<<n / 256, 256>>>(in, rows, ready);
}
