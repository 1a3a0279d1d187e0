// A barrier must be initialised before any thread takes part in it: one of the two is.
#include <cuda/barrier>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void two_steps(float *cell)
{
    __shared__ block_barrier first, second;
    if (threadIdx.x == 0)
        init(&first, blockDim.x);
    __syncthreads();
    cell[threadIdx.x] += 1;
    first.arrive_and_wait();
    cell[threadIdx.x] += cell[threadIdx.x ^ 1];
    second.arrive_and_wait(); // expect: init-missing
}

void launch(float *cell)
{
    two_steps<<<1, 128>>>(cell);
}
