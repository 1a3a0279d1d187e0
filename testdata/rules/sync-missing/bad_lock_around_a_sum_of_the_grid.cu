// A lock lets one block after the other add to a sum that all of them share. Nothing orders the sum
// with the word that gives the lock back.
#include <cuda_runtime.h>

__global__ void total(const float *in, float *sum, int *lock, int n)
{
    __shared__ float part[128];
    float own = 0;
    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128)
        own += in[i];
    part[threadIdx.x] = own;
    __syncthreads();
    if (threadIdx.x == 0) {
        float all = 0;
        for (int i = 0; i < 128; ++i)
            all += part[i];
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        *sum += all;
        atomicExch(lock, 0); // expect: sync-missing
    }
}

void launch(const float *in, float *sum, int *lock, int n)
{
    total<<<64, 128>>>(in, sum, lock, n);
}
