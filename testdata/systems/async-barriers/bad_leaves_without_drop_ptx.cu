// A thread that leaves must give up its part first, with instructions too.
#include <cstdint>
#include <cuda/ptx>

__global__ void settle(float *cell, const float *force, int steps)
{
    __shared__ uint64_t step;
    if (threadIdx.x == 0)
        cuda::ptx::mbarrier_init(&step, blockDim.x);
    __syncthreads();
    for (int i = 0; i < steps; ++i) {
        if (cell[threadIdx.x] < force[i])
            return; // expect: exit-missing-drop
        uint64_t token = cuda::ptx::mbarrier_arrive(&step);
        cell[threadIdx.x] -= force[i];
        while (!cuda::ptx::mbarrier_try_wait(&step, token)) {
        }
    }
}

void launch(float *cell, const float *force, int steps)
{
    settle<<<1, 128>>>(cell, force, steps);
}
