// The first warp goes one round more than it is told to, and leaves; the others may go on for four
// more.
#include <cuda/barrier>

__global__ void sweep(const int *rounds, int longest, float *data)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> step;
    if (threadIdx.x == 0)
        init(&step, blockDim.x);
    __syncthreads();
    if (threadIdx.x < 32) {
        for (int i = 0; i <= longest; ++i)
            step.arrive_and_wait();
        return; // expect: exit-missing-drop
    }
    int own = rounds[threadIdx.x / 32];
    if (own > longest + 4)
        __trap();
    for (int i = 0; i < own; ++i) {
        data[threadIdx.x] += i;
        step.arrive_and_wait();
    }
    step.arrive_and_drop();
}

void run(const int *rounds, int longest, float *data)
{
    sweep<<<1, 64>>>(rounds, longest, data);
}
