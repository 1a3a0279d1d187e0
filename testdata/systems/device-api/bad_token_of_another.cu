// And of the same barrier.
#include <cuda_awbarrier_primitives.h>

__global__ void crossed(float *cell)
{
    __shared__ __mbarrier_t loaded, stored;
    if (threadIdx.x == 0) {
        __mbarrier_init(&loaded, blockDim.x);
        __mbarrier_init(&stored, blockDim.x);
    }
    __syncthreads();
    const __mbarrier_token_t token = __mbarrier_arrive(&loaded);
    cell[threadIdx.x] += 1;
    while (!__mbarrier_try_wait(&stored, token, 1000)) { // expect: phase-foreign-token
    }
    cell[threadIdx.x] += cell[threadIdx.x ^ 1];
}

void launch(float *cell)
{
    crossed<<<1, 128>>>(cell);
}
