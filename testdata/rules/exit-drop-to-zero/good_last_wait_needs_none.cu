// Half of the threads drop, the other half uses the barrier to the end.
#include <cuda_awbarrier_primitives.h>

__global__ void halves(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ __mbarrier_t stored;
    __shared__ int line[64];
    if (threadIdx.x == 0)
        __mbarrier_init(&stored, 64);
    __syncthreads();
    line[threadIdx.x] = in[threadIdx.x];
    if (threadIdx.x >= 32) {
        (void)__mbarrier_arrive_and_drop(&stored);
        return;
    }
    __mbarrier_token_t token = __mbarrier_arrive(&stored);
    while (!__mbarrier_test_wait(&stored, token)) {
    }
    const int value = line[threadIdx.x] + line[threadIdx.x + 32];
    token = __mbarrier_arrive(&stored);
    while (!__mbarrier_test_wait(&stored, token)) {
    }
    out[threadIdx.x] = value;
}

void run(const int *in, int *out)
{
    halves<<<1, 64>>>(in, out);
}
