// arch: sm_80
// Transactions are tracked from compute capability 9.0 on, and try_wait is there from then on.
#include <cstdint>
#include <cuda/ptx>

__global__ void rounds(float *cell)
{
    __shared__ uint64_t step;
    if (threadIdx.x == 0)
        cuda::ptx::mbarrier_init(&step, blockDim.x);
    __syncthreads();
    cuda::ptx::mbarrier_arrive(&step);
    cell[threadIdx.x] += 1;
    while (!cuda::ptx::mbarrier_try_wait_parity(&step, 0)) { // expect: port-arch
    }
}

void launch(float *cell)
{
    rounds<<<1, 128>>>(cell);
}
