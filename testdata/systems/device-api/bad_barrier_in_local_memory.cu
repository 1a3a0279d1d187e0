// The barrier must be in shared memory.
#include <cuda_awbarrier_primitives.h>

__global__ void own(float *cell)
{
    __mbarrier_t barrier;
    __mbarrier_init(&barrier, 1); // expect: init-placement
    __mbarrier_token_t token = __mbarrier_arrive(&barrier);
    while (!__mbarrier_test_wait(&barrier, token)) {
    }
    cell[threadIdx.x] += 1;
}

void launch(float *cell)
{
    own<<<1, 32>>>(cell);
}
