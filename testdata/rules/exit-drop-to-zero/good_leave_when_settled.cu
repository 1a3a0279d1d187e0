// The guide's way of leaving early: that every thread leaves is one possibility among many.
#include <cuda/barrier>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__device__ bool settled(float value)
{
    return fabsf(value) < 1e-3f;
}

__global__ void decay(float *cell, int steps)
{
    __shared__ block_barrier step;
    if (threadIdx.x == 0)
        init(&step, blockDim.x);
    __syncthreads();
    for (int i = 0; i < steps; ++i) {
        if (settled(cell[threadIdx.x])) {
            step.arrive_and_drop();
            return;
        }
        cell[threadIdx.x] *= 0.9f;
        step.arrive_and_wait();
    }
}

void run(float *cell)
{
    decay<<<1, 64>>>(cell, 100);
}
