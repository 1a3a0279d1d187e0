// The expected count is at most __mbarrier_maximum_count().
#include <cuda_awbarrier_primitives.h>

__global__ void many(float *cell)
{
    __shared__ __mbarrier_t barrier;
    if (threadIdx.x == 0)
        __mbarrier_init(&barrier, 20000); // expect: init-count-range
    __syncthreads();
    cell[threadIdx.x] += 1;
    __mbarrier_arrive(&barrier);
}

void launch(float *cell)
{
    many<<<1, 128>>>(cell);
}
