// The primitives on a shared variable, handed through a helper.
#include <cuda_awbarrier_primitives.h>

__device__ void setup(__mbarrier_t *barrier, unsigned count)
{
    __mbarrier_init(barrier, count);
}

__global__ void meet(float *data)
{
    __shared__ __mbarrier_t barrier;
    if (threadIdx.x == 0)
        setup(&barrier, blockDim.x);
    __syncthreads();
    data[threadIdx.x] += 1.0f;
    __mbarrier_token_t token = __mbarrier_arrive(&barrier);
    while (!__mbarrier_test_wait(&barrier, token)) {
    }
}

void run(float *data)
{
    meet<<<1, 128>>>(data);
}
