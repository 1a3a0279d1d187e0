// Even phases have parity 0, odd ones 1: it must change with each phase.
#include <cstdint>
#include <cuda/ptx>

__global__ void rounds(float *cell, int count)
{
    __shared__ uint64_t step;
    if (threadIdx.x == 0)
        cuda::ptx::mbarrier_init(&step, blockDim.x);
    __syncthreads();
    int parity = 0;
    for (int i = 0; i < count; ++i) {
        cuda::ptx::mbarrier_arrive(&step);
        cell[threadIdx.x] *= 2;
        while (!cuda::ptx::mbarrier_try_wait_parity(&step, parity)) { // expect: phase-parity-flip
        }
    }
}

void launch(float *cell, int count)
{
    rounds<<<1, 128>>>(cell, count);
}
