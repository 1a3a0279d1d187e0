// The primitives are for barriers in shared memory.
#include <cuda_awbarrier_primitives.h>

__global__ void meet(__mbarrier_t *stored, float *cell)
{
    if (threadIdx.x == 0)
        __mbarrier_init(stored, blockDim.x); // expect: init-placement
    __syncthreads();
    cell[threadIdx.x] += 1;
    __mbarrier_token_t token = __mbarrier_arrive(stored);
    while (!__mbarrier_test_wait(stored, token)) {
    }
    cell[127 - threadIdx.x] += 1;
}

void launch(__mbarrier_t *stored, float *cell)
{
    meet<<<1, 128>>>(stored, cell);
}
