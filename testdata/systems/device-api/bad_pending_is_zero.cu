// An arrival needs a pending count that is not zero: each thread comes twice to a phase for once.
#include <cuda_awbarrier_primitives.h>

__global__ void twice(float *cell)
{
    __shared__ __mbarrier_t barrier;
    if (threadIdx.x == 0)
        __mbarrier_init(&barrier, 1);
    __syncthreads();
    __mbarrier_arrive(&barrier); // expect: arrive-over
    cell[threadIdx.x] += 1;
    while (!__mbarrier_try_wait_parity(&barrier, false, 1000)) {
    }
}

void launch(float *cell)
{
    twice<<<1, 128>>>(cell);
}
