// The helper arrives and waits; what it ends with lets reads of its caller go ahead of it.
#include <cuda_runtime.h>

__device__ __forceinline__ void meet()
{
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;"); // expect: port-asm-clobber
}

__global__ void __cluster_dims__(2, 1, 1) turn(float *row)
{
    __shared__ float line[64];
    line[threadIdx.x] = row[blockIdx.x * 64 + threadIdx.x];
    meet();
    row[blockIdx.x * 64 + threadIdx.x] = line[63 - threadIdx.x];
}

void launch(float *row)
{
    turn<<<4, 64>>>(row);
}
