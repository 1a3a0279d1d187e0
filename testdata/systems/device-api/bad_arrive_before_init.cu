// Initialisation comes before an arrival.
#include <cuda_awbarrier_primitives.h>

__global__ void early(float *cell)
{
    __shared__ __mbarrier_t barrier;
    __mbarrier_arrive(&barrier); // expect: init-missing
    __syncthreads();
    if (threadIdx.x == 0)
        __mbarrier_init(&barrier, blockDim.x);
    cell[threadIdx.x] += 1;
}

void launch(float *cell)
{
    early<<<1, 128>>>(cell);
}
