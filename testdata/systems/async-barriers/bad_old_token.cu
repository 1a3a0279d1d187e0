// A token is good for the phase it was made in and for the one after.
#include <cuda/barrier>
#include <cuda/std/utility>

__global__ void three_rounds(float *cell)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> step;
    if (threadIdx.x == 0)
        init(&step, blockDim.x);
    __syncthreads();
    auto first = step.arrive();
    auto kept = first;
    cell[threadIdx.x] += 1;
    step.wait(cuda::std::move(first));
    step.arrive_and_wait();
    step.wait(cuda::std::move(kept)); // expect: phase-stale-token
    cell[threadIdx.x] += cell[threadIdx.x ^ 1];
}

void launch(float *cell)
{
    three_rounds<<<1, 128>>>(cell);
}
