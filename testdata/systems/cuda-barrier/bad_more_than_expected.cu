// An update is positive and at most what is still expected.
#include <cuda/barrier>

__global__ void twice(float *cell)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> round;
    if (threadIdx.x == 0)
        init(&round, 64);
    __syncthreads();
    cell[threadIdx.x] += 1;
    round.wait(round.arrive(128)); // expect: arrive-over
    cell[threadIdx.x] *= cell[threadIdx.x ^ 1];
}

void launch(float *cell)
{
    twice<<<1, 64>>>(cell);
}
