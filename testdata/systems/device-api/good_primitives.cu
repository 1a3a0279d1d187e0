// The barrier primitives, each as it is meant: by token, by parity, with a drop; invalidated before
// the memory becomes something else.
#include <cuda_awbarrier_primitives.h>

__global__ void all_of_them(float *cell)
{
    __shared__ union {
        __mbarrier_t barrier;
        float scratch[2];
    } word;
    if (threadIdx.x == 0 && blockDim.x <= __mbarrier_maximum_count())
        __mbarrier_init(&word.barrier, blockDim.x);
    __syncthreads();
    const __mbarrier_token_t token = __mbarrier_arrive(&word.barrier);
    cell[threadIdx.x] += 1;
    while (!__mbarrier_test_wait(&word.barrier, token)) {
    }
    __mbarrier_arrive(&word.barrier);
    while (!__mbarrier_try_wait_parity(&word.barrier, true, 1000)) {
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        __mbarrier_inval(&word.barrier);
        word.scratch[0] = cell[0];
    }
    __syncthreads();
    cell[threadIdx.x] += word.scratch[0];
}

void launch(float *cell)
{
    all_of_them<<<1, 128>>>(cell);
}
