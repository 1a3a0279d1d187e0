// With a limit of time too the answer may be that the phase is not over.
#include <cuda_awbarrier_primitives.h>

__global__ void meet(const float *in, float *out)
{
    __shared__ __mbarrier_t stored;
    __shared__ float line[128];
    if (threadIdx.x == 0)
        __mbarrier_init(&stored, blockDim.x);
    __syncthreads();
    line[threadIdx.x] = in[threadIdx.x];
    __mbarrier_arrive(&stored);
    __mbarrier_try_wait_parity(&stored, false, 1000000); // expect: phase-trywait-ignored
    out[threadIdx.x] = line[127 - threadIdx.x];
}

void launch(const float *in, float *out)
{
    meet<<<1, 128>>>(in, out);
}
