// Each warp adds to a table under a lock that its first lane takes and gives back.
#include <cuda_runtime.h>

__device__ inline void take(int *lock, int lane)
{
    if (lane == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        __threadfence_block();
    }
    __syncwarp();
}

__device__ inline void give_back(int *lock, int lane)
{
    __threadfence_block();
    __syncwarp();
    if (lane == 0)
        atomicExch(lock, 0);
}

__global__ void histogram(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ int table[32];
    __shared__ int lock;
    const int lane = threadIdx.x % 32;
    if (threadIdx.x < 32)
        table[lane] = 0;
    if (threadIdx.x == 0)
        lock = 0;
    __syncthreads();
    take(&lock, lane);
    table[lane] += in[blockIdx.x * blockDim.x + threadIdx.x];
    give_back(&lock, lane);
    __syncthreads();
    if (threadIdx.x < 32)
        out[blockIdx.x * 32 + lane] = table[lane];
}

void run(const int *in, int *out)
{
    histogram<<<16, 256>>>(in, out);
}
