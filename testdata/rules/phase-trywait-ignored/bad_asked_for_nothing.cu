// The statement that should have been a loop asks once and does nothing about the answer.
#include <cuda_awbarrier_primitives.h>

struct line {
    __mbarrier_t *stored;
    float *data;
};

__device__ void wait(__mbarrier_t *bar, __mbarrier_token_t token)
{
    if (!__mbarrier_test_wait(bar, token))
        ;
}

__device__ float other(const line &on, float value)
{
    on.data[threadIdx.x] = value;
    const __mbarrier_token_t token = __mbarrier_arrive(on.stored);
    wait(on.stored, token); // expect: phase-trywait-ignored
    return on.data[127 - threadIdx.x];
}

__global__ void mirror(const float *in, float *out)
{
    __shared__ __mbarrier_t stored;
    extern __shared__ float data[];
    if (threadIdx.x == 0)
        __mbarrier_init(&stored, 128);
    __syncthreads();
    out[threadIdx.x] = other({&stored, data}, in[threadIdx.x]);
}

void launch(const float *in, float *out)
{
    mirror<<<1, 128, 512>>>(in, out);
}
