// The wait may come back with false before the phase is over.
#include <cuda_awbarrier_primitives.h>

__global__ void hopes(float *cell)
{
    __shared__ __mbarrier_t stored;
    __shared__ float line[128];
    if (threadIdx.x == 0)
        __mbarrier_init(&stored, 128);
    __syncthreads();
    line[threadIdx.x] = cell[threadIdx.x];
    const __mbarrier_token_t token = __mbarrier_arrive(&stored);
    __mbarrier_try_wait(&stored, token, 1000000); // expect: phase-trywait-ignored
    cell[threadIdx.x] = line[127 - threadIdx.x];
}

void launch(float *cell)
{
    hopes<<<1, 128>>>(cell);
}
