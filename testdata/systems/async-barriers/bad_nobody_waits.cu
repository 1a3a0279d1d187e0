// A phase must be waited for before the barrier is used again.
#include <cuda/barrier>

__global__ void rounds(float *cell)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> step;
    if (threadIdx.x == 0)
        init(&step, blockDim.x);
    __syncthreads();
    cell[threadIdx.x] += 1;
    (void)step.arrive();
    cell[threadIdx.x] += 2;
    (void)step.arrive(); // expect: phase-unobserved
}

void launch(float *cell)
{
    rounds<<<1, 128>>>(cell);
}
