// A fence orders the initialising thread's own accesses; it makes nobody wait.
#include <cuda_awbarrier_primitives.h>

template <int Threads> __global__ void neighbours(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ __mbarrier_t ready;
    __shared__ int row[Threads];
    if (threadIdx.x == 64) {
        __mbarrier_init(&ready, Threads); // expect: init-no-sync
        __threadfence_block();
    }
    row[threadIdx.x] = in[blockIdx.x * Threads + threadIdx.x];
    const __mbarrier_token_t token = __mbarrier_arrive(&ready);
    while (!__mbarrier_try_wait(&ready, token, 200)) {
    }
    out[blockIdx.x * Threads + threadIdx.x] = row[threadIdx.x ^ 1] - row[threadIdx.x];
}

void run(const int *in, int *out, int blocks)
{
    neighbours<192><<<blocks, 192>>>(in, out);
}
