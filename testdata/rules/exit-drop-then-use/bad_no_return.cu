// After dropping out the thread goes on with the loop.
#include <cuda/barrier>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void heat(float *cell, const int *alive, int steps)
{
    __shared__ block_barrier step;
    __shared__ float line[128];
    if (threadIdx.x == 0)
        init(&step, blockDim.x);
    __syncthreads();
    if (!alive[threadIdx.x])
        step.arrive_and_drop();
    for (int i = 0; i < steps; ++i) {
        line[threadIdx.x] = cell[threadIdx.x];
        step.arrive_and_wait(); // expect: exit-drop-then-use
        cell[threadIdx.x] = 0.5f * (line[threadIdx.x] + line[(threadIdx.x + 1) % 128]);
    }
}

void run(float *cell, const int *alive)
{
    heat<<<1, 128>>>(cell, alive, 10);
}
