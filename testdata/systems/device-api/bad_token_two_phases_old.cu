// A token must be of the current phase or of the one before.
#include <cuda_awbarrier_primitives.h>

__global__ void old_token(float *cell)
{
    __shared__ __mbarrier_t barrier;
    if (threadIdx.x == 0)
        __mbarrier_init(&barrier, blockDim.x);
    __syncthreads();
    const __mbarrier_token_t first = __mbarrier_arrive(&barrier);
    while (!__mbarrier_try_wait(&barrier, first, 1000)) {
    }
    cell[threadIdx.x] += 1;
    const __mbarrier_token_t second = __mbarrier_arrive(&barrier);
    while (!__mbarrier_try_wait(&barrier, second, 1000)) {
    }
    while (!__mbarrier_try_wait(&barrier, first, 1000)) { // expect: phase-stale-token
    }
    cell[threadIdx.x] += cell[threadIdx.x ^ 1];
}

void launch(float *cell)
{
    old_token<<<1, 128>>>(cell);
}
