// The arrivals of the last round are waited for by nobody: no other phase follows them.
#include <cuda_awbarrier_primitives.h>

__global__ void totals(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ __mbarrier_t step;
    __shared__ float line[64];
    if (threadIdx.x == 0)
        __mbarrier_init(&step, 64);
    __syncthreads();
    line[threadIdx.x] = in[threadIdx.x];
    const __mbarrier_token_t token = __mbarrier_arrive(&step);
    while (!__mbarrier_test_wait(&step, token)) {
    }
    out[threadIdx.x] = line[63 - threadIdx.x];
    (void)__mbarrier_arrive(&step);
}

void run(const float *in, float *out)
{
    totals<<<1, 64>>>(in, out);
}
