// Behind the arrival that ends the phase a wait must come before the next arrival.
#include <cuda/barrier>

__global__ void count(float *cell)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> step;
    if (threadIdx.x == 0)
        init(&step, blockDim.x);
    __syncthreads();
    cell[threadIdx.x] += 1;
    (void)step.arrive();
    cell[threadIdx.x] *= 2;
    auto token = step.arrive(); // expect: arrive-over
    step.wait(std::move(token));
    cell[127 - threadIdx.x] += 1;
}

void launch(float *cell)
{
    count<<<1, 128>>>(cell);
}
