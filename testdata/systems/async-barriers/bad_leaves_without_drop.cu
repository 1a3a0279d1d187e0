// A thread that leaves must give up its part first.
#include <cuda/barrier>
#include <cuda/std/utility>

__global__ void settle(float *cell, const float *force, int steps)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> step;
    if (threadIdx.x == 0)
        init(&step, blockDim.x);
    __syncthreads();
    for (int i = 0; i < steps; ++i) {
        if (cell[threadIdx.x] < force[i])
            return; // expect: exit-missing-drop
        auto token = step.arrive();
        cell[threadIdx.x] -= force[i];
        step.wait(cuda::std::move(token));
    }
}

void launch(float *cell, const float *force, int steps)
{
    settle<<<1, 128>>>(cell, force, steps);
}
