// max() of a barrier of the block is 2^20 - 1.
#include <cuda/barrier>

__global__ void huge(float *cell)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> round;
    if (threadIdx.x == 0)
        init(&round, 1 << 20); // expect: init-count-range
    __syncthreads();
    cell[threadIdx.x] += 1;
    (void)round.arrive();
}

void launch(float *cell)
{
    huge<<<1, 64>>>(cell);
}
