// The primitives are for barriers in shared memory.
#include <cuda_awbarrier_primitives.h>

__device__ __mbarrier_t stored;

__global__ void meet(float *cell)
{
    if (threadIdx.x == 0)
        __mbarrier_init(&stored, blockDim.x); // expect: init-placement
    __syncthreads();
    cell[threadIdx.x] += 1;
    __mbarrier_token_t token = __mbarrier_arrive(&stored);
    while (!__mbarrier_test_wait(&stored, token)) {
    }
    cell[127 - threadIdx.x] += 1;
}

void launch(float *cell)
{
    meet<<<1, 128>>>(cell);
}
