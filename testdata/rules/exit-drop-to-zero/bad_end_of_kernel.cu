// All threads drop out at the end, to be tidy.
#include <cuda_awbarrier_primitives.h>

__global__ void shift(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ __mbarrier_t stored;
    __shared__ int line[64];
    if (threadIdx.x == 0)
        __mbarrier_init(&stored, 64);
    __syncthreads();
    line[threadIdx.x] = in[threadIdx.x];
    const __mbarrier_token_t token = __mbarrier_arrive(&stored);
    while (!__mbarrier_test_wait(&stored, token)) {
    }
    out[threadIdx.x] = line[(threadIdx.x + 1) % 64];
    (void)__mbarrier_arrive_and_drop(&stored); // expect: exit-drop-to-zero
}

void run(const int *in, int *out)
{
    shift<<<1, 64>>>(in, out);
}
