// A parity is 0 or 1.
#include <cstdint>
#include <cuda/ptx>

__global__ void rounds(float *cell)
{
    __shared__ uint64_t step;
    if (threadIdx.x == 0)
        cuda::ptx::mbarrier_init(&step, blockDim.x);
    __syncthreads();
    for (int i = 0; i < 3; ++i) {
        cuda::ptx::mbarrier_arrive(&step);
        cell[threadIdx.x] += i;
        while (!cuda::ptx::mbarrier_try_wait_parity(&step, i)) { // expect: phase-parity-range
        }
    }
}

void launch(float *cell)
{
    rounds<<<1, 128>>>(cell);
}
