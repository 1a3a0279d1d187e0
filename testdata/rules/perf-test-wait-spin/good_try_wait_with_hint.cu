#include <cuda_awbarrier_primitives.h>

__global__ void reverse(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float line[128];
    __shared__ __mbarrier_t stored;
    if (threadIdx.x == 0)
        __mbarrier_init(&stored, 128);
    __syncthreads();
    line[threadIdx.x] = in[threadIdx.x];
    const __mbarrier_token_t token = __mbarrier_arrive(&stored);
    while (!__mbarrier_try_wait(&stored, token, 1000)) {
    }
    out[threadIdx.x] = line[127 - threadIdx.x];
}

void run(const float *in, float *out)
{
    reverse<<<1, 128>>>(in, out);
}
