// Who leaves before the others drops its arrival.
#include <cuda/barrier>
#include <cuda/std/utility>
#include <cuda_awbarrier_primitives.h>

__global__ void settle(float *cell, const float *force, int steps)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> step;
    if (threadIdx.x == 0)
        init(&step, blockDim.x);
    __syncthreads();
    for (int i = 0; i < steps; ++i) {
        if (threadIdx.x != 0 && cell[threadIdx.x] < force[i]) {
            step.arrive_and_drop();
            return;
        }
        auto token = step.arrive();
        cell[threadIdx.x] -= force[i];
        step.wait(cuda::std::move(token));
    }
}

__global__ void settle_again(float *cell, const float *force, int steps)
{
    __shared__ __mbarrier_t step;
    if (threadIdx.x == 0)
        __mbarrier_init(&step, blockDim.x);
    __syncthreads();
    for (int i = 0; i < steps; ++i) {
        if (threadIdx.x != 0 && cell[threadIdx.x] < force[i]) {
            __mbarrier_arrive_and_drop(&step);
            return;
        }
        const __mbarrier_token_t token = __mbarrier_arrive(&step);
        cell[threadIdx.x] -= force[i];
        while (!__mbarrier_try_wait(&step, token, 1000)) {
        }
    }
}

void launch(float *cell, const float *force, int steps)
{
    settle<<<1, 128>>>(cell, force, steps);
    settle_again<<<1, 128>>>(cell, force, steps);
}
