// Outside the scope of the block, max() is that of 32 bits.
#include <cuda/barrier>

__global__ void meet(cuda::barrier<cuda::thread_scope_device> *all, float *cell)
{
    if (blockIdx.x == 0 && threadIdx.x == 0)
        init(all, 1ll << 32); // expect: init-count-range
    cell[threadIdx.x] += 1;
}

void launch(cuda::barrier<cuda::thread_scope_device> *all, float *cell)
{
    meet<<<1, 128>>>(all, cell);
}
