// The barrier is initialised with a number of warps and every thread arrives.
#include <cuda_awbarrier_primitives.h>

__global__ void reverse(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ __mbarrier_t stored;
    __shared__ int line[128];
    const int warps = blockDim.x / warpSize;
    if (threadIdx.x == 0)
        __mbarrier_init(&stored, warps);
    __syncthreads();
    line[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
    const __mbarrier_token_t token = __mbarrier_arrive(&stored); // expect: arrive-granularity
    while (!__mbarrier_test_wait(&stored, token)) {
    }
    out[blockIdx.x * 128 + threadIdx.x] = line[127 - threadIdx.x];
}

void run(const int *in, int *out, int blocks)
{
    reverse<<<blocks, 128>>>(in, out);
}
