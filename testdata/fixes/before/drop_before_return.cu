// options: --unsafe-fixes
#include <cuda/barrier>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void own_line(float *cell, const float *force, int steps)
{
    __shared__ block_barrier step;
    if (threadIdx.x == 0)
        init(&step, blockDim.x);
    __syncthreads();
    for (int i = 0; i < steps; ++i) {
        if (threadIdx.x != 0 && cell[threadIdx.x] < force[i])
            return; // at rest
        cell[threadIdx.x] -= force[i];
        step.arrive_and_wait();
    }
}

__global__ void same_line(float *cell, const float *force, int steps)
{
    __shared__ block_barrier step;
    if (threadIdx.x == 0)
        init(&step, blockDim.x);
    __syncthreads();
    for (int i = 0; i < steps; ++i) {
        if (threadIdx.x != 0 && cell[threadIdx.x] < force[i]) return;
        cell[threadIdx.x] -= force[i];
        step.arrive_and_wait();
    }
}

__global__ void in_braces(float *cell, const float *force, int steps)
{
    __shared__ block_barrier step;
    if (threadIdx.x == 0)
        init(&step, blockDim.x);
    __syncthreads();
    for (int i = 0; i < steps; ++i) {
        if (threadIdx.x != 0 && cell[threadIdx.x] < force[i]) {
            cell[threadIdx.x] = 0;
            return;
        }
        cell[threadIdx.x] -= force[i];
        step.arrive_and_wait();
    }
}

void launch(float *cell, const float *force, int steps)
{
    own_line<<<1, 128>>>(cell, force, steps);
    same_line<<<1, 128>>>(cell, force, steps);
    in_braces<<<1, 128>>>(cell, force, steps);
}
