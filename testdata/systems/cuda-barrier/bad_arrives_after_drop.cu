// The dropped thread is not expected any more, and comes all the same.
#include <cuda/barrier>

__global__ void rounds(float *cell)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> round;
    if (threadIdx.x == 0)
        init(&round, 64);
    __syncthreads();
    if (threadIdx.x == 63)
        round.arrive_and_drop();
    else
        round.arrive_and_wait();
    cell[threadIdx.x] += cell[threadIdx.x ^ 1];
    round.arrive_and_wait(); // expect: exit-drop-then-use
}

void launch(float *cell)
{
    rounds<<<1, 64>>>(cell);
}
