// What one thread stores is read by its own block alone, behind a barrier of the block before or
// after the relaxed one, or behind a fence of the thread that stores.
#include <cuda_runtime.h>

__device__ inline void relaxed_sync()
{
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

__global__ void __cluster_dims__(2, 1, 1) gather(const float *__restrict__ in,
                                                 const int *__restrict__ bases,
                                                 float *__restrict__ out)
{
    __shared__ int first, second, third;
    if (threadIdx.x == 64)
        first = bases[blockIdx.x];
    __syncthreads();
    if (threadIdx.x == 32) {
        third = bases[blockIdx.x + 2];
        __threadfence();
    }
    relaxed_sync();
    float sum = in[first + threadIdx.x] + in[third + threadIdx.x];
    if (threadIdx.x == 96)
        second = bases[blockIdx.x + 1];
    relaxed_sync();
    __syncthreads();
    out[blockIdx.x * 128 + threadIdx.x] = sum + in[second + threadIdx.x];
}

void launch(const float *in, const int *bases, float *out)
{
    gather<<<8, 128>>>(in, bases, out);
}
