// The largest count the primitives take, and the count of a whole block.
#include <cuda_awbarrier_primitives.h>

__global__ void batch(float *data)
{
    __shared__ __mbarrier_t done, all;
    if (threadIdx.x == 0) {
        __mbarrier_init(&done, 16383);
        __mbarrier_init(&all, blockDim.x);
    }
    __syncthreads();
    data[threadIdx.x] += 1.0f;
    __mbarrier_token_t token = __mbarrier_arrive(&all);
    while (!__mbarrier_test_wait(&all, token)) {
    }
}

void run(float *data)
{
    batch<<<1, 512>>>(data);
}
