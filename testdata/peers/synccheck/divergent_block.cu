// kind: a block barrier that part of the block comes to
#include "../ptx.cuh"

__global__ void tried(float *cell)
{
    __shared__ int sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    if (threadIdx.x < 48) {
        atomicAdd(&sum, (int)cell[threadIdx.x]);
        __syncthreads(); // expect: sync-divergent
    }
    cell[threadIdx.x] = sum;
    __syncthreads();
    cell[threadIdx.x] += sum;
}

void launch(float *cell)
{
    tried<<<1, 64>>>(cell);
}
