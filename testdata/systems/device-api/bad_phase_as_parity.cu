// The parity is asked for, and the number of the phase is given: from the second on it is always odd.
#include <cuda_awbarrier_primitives.h>

__global__ void rounds(const float *in, float *out, int n)
{
    __shared__ __mbarrier_t step;
    __shared__ float line[128];
    if (threadIdx.x == 0)
        __mbarrier_init(&step, blockDim.x);
    __syncthreads();
    for (int phase = 0; phase < n; ++phase) {
        line[threadIdx.x] = in[phase * 128 + threadIdx.x];
        __mbarrier_arrive(&step);
        while (!__mbarrier_test_wait_parity(&step, phase)) { // expect: phase-parity-range
        }
        out[phase * 128 + threadIdx.x] = line[127 - threadIdx.x];
        __syncthreads();
    }
}

void launch(const float *in, float *out, int n)
{
    rounds<<<1, 128>>>(in, out, n);
}
