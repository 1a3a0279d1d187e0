// The expected count is not negative.
#include <cuda/barrier>

__global__ void meet(float *cell)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> all;
    if (threadIdx.x == 0)
        init(&all, static_cast<int>(threadIdx.x) - 1); // expect: init-count-range
    __syncthreads();
    cell[threadIdx.x] += 1;
    all.arrive_and_wait();
    cell[127 - threadIdx.x] += 1;
}

void launch(float *cell)
{
    meet<<<1, 128>>>(cell);
}
