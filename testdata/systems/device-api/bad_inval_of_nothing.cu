// What is invalidated is a barrier object.
#include <cuda_awbarrier_primitives.h>

__global__ void meet(const float *in, float *out)
{
    __shared__ __mbarrier_t stored;
    __shared__ float line[128];
    if (threadIdx.x == 0)
        __mbarrier_inval(&stored); // expect: init-missing
    __syncthreads();
    if (threadIdx.x == 0)
        __mbarrier_init(&stored, blockDim.x);
    __syncthreads();
    line[threadIdx.x] = in[threadIdx.x];
    __mbarrier_token_t token = __mbarrier_arrive(&stored);
    while (!__mbarrier_test_wait(&stored, token)) {
    }
    out[threadIdx.x] = line[127 - threadIdx.x];
}

void launch(const float *in, float *out)
{
    meet<<<1, 128>>>(in, out);
}
