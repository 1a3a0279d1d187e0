// The primitives in global memory.
#include <cuda_awbarrier_primitives.h>

__device__ __mbarrier_t everyone;

__global__ void meet(float *data)
{
    if (threadIdx.x == 0)
        __mbarrier_init(&everyone, blockDim.x); // expect: init-placement
    __syncthreads();
    data[threadIdx.x] += 1.0f;
}

void run(float *data)
{
    meet<<<1, 128>>>(data);
}
