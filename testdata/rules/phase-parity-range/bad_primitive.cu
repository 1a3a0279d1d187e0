// The primitive takes a bool: phase 2 becomes 1.
#include <cuda_awbarrier_primitives.h>

__global__ void iterate(float *data)
{
    __shared__ __mbarrier_t step;
    if (threadIdx.x == 0)
        __mbarrier_init(&step, blockDim.x);
    __syncthreads();
    for (int phase = 0; phase < 4; ++phase) {
        data[threadIdx.x] += 0.5f * data[threadIdx.x];
        __mbarrier_arrive(&step);
        while (!__mbarrier_try_wait_parity(&step, phase, 1000)) { // expect: phase-parity-range
        }
    }
}

void run(float *data)
{
    iterate<<<1, 128>>>(data);
}
