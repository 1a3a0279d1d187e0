// One object for all blocks of the grid, of a scope that ends with the block.
#include <cuda/barrier>

__global__ void step(cuda::barrier<cuda::thread_scope_block> *all, float *cell)
{
    cell[blockIdx.x * blockDim.x + threadIdx.x] += 1;
    all->arrive_and_wait(); // expect: init-scope
    cell[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}

void launch(cuda::barrier<cuda::thread_scope_block> *all, float *cell)
{
    step<<<2, 64>>>(all, cell);
}
