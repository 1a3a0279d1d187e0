// A thread that leaves must give up its part first, with the primitives too.
#include <cuda_awbarrier_primitives.h>

__global__ void settle(float *cell, const float *force, int steps)
{
    __shared__ __mbarrier_t step;
    if (threadIdx.x == 0)
        __mbarrier_init(&step, blockDim.x);
    __syncthreads();
    for (int i = 0; i < steps; ++i) {
        if (cell[threadIdx.x] < force[i])
            return; // expect: exit-missing-drop
        __mbarrier_token_t token = __mbarrier_arrive(&step);
        cell[threadIdx.x] -= force[i];
        while (!__mbarrier_try_wait(&step, token, 1000)) {
        }
    }
}

void launch(float *cell, const float *force, int steps)
{
    settle<<<1, 128>>>(cell, force, steps);
}
