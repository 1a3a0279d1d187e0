// The pending count is asked of the token of an ordinary arrive.
#include <cuda_awbarrier_primitives.h>

__global__ void progress(const int *__restrict__ in, int *__restrict__ out, unsigned *left)
{
    __shared__ __mbarrier_t stored;
    __shared__ int line[64];
    if (threadIdx.x == 0)
        __mbarrier_init(&stored, 64);
    __syncthreads();
    line[threadIdx.x] = in[threadIdx.x];
    const __mbarrier_token_t token = __mbarrier_arrive(&stored);
    left[threadIdx.x] = __mbarrier_token_pending_count(token); // expect: arrive-nocomplete
    while (!__mbarrier_test_wait(&stored, token)) {
    }
    out[threadIdx.x] = line[63 - threadIdx.x];
}

void run(const int *in, int *out, unsigned *left)
{
    progress<<<1, 64>>>(in, out, left);
}
