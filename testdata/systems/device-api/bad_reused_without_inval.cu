// The memory of a barrier is free for other uses after its invalidation only.
#include <cuda_awbarrier_primitives.h>

__global__ void reuse(float *cell)
{
    __shared__ union {
        __mbarrier_t barrier;
        float scratch[2];
    } word;
    if (threadIdx.x == 0)
        __mbarrier_init(&word.barrier, blockDim.x);
    __syncthreads();
    const __mbarrier_token_t token = __mbarrier_arrive(&word.barrier);
    cell[threadIdx.x] += 1;
    while (!__mbarrier_test_wait(&word.barrier, token)) {
    }
    __syncthreads();
    if (threadIdx.x == 0)
        word.scratch[0] = cell[0]; // expect: init-raw-access
    __syncthreads();
    cell[threadIdx.x] += word.scratch[0]; // expect: init-raw-access
}

void launch(float *cell)
{
    reuse<<<1, 128>>>(cell);
}
