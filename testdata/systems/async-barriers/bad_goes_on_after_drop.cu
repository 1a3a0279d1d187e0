// A drop arrives for the phase at hand, and ends the thread's part in the next ones.
#include <cuda/barrier>

__global__ void rounds(float *cell)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> step;
    if (threadIdx.x == 0)
        init(&step, blockDim.x);
    __syncthreads();
    for (int i = 0; i < 3; ++i) {
        if (threadIdx.x >= 96 && i == 1)
            step.arrive_and_drop();
        cell[threadIdx.x] += i;
        step.arrive_and_wait(); // expect: exit-drop-then-use
    }
}

void launch(float *cell)
{
    rounds<<<1, 128>>>(cell);
}
