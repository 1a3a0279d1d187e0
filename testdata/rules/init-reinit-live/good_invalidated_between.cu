// Another count for the second part: everybody is done, one thread invalidates, everybody sees it,
// one thread initialises, everybody sees it.
#include <cuda_awbarrier_primitives.h>

__device__ void meet(__mbarrier_t *bar)
{
    const __mbarrier_token_t token = __mbarrier_arrive(bar);
    while (!__mbarrier_try_wait(bar, token, 100)) {
    }
}

template <int Threads>
__global__ void two_reductions(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ __mbarrier_t bar;
    __shared__ int part[Threads];
    const int tid = threadIdx.x;
    if (tid == 0)
        __mbarrier_init(&bar, Threads);
    __syncthreads();
    part[tid] = in[blockIdx.x * Threads + tid];
    meet(&bar);
    int sum = 0;
    if (tid < Threads / 2)
        sum = part[tid] + part[tid + Threads / 2];
    __syncthreads();
    if (tid == 0)
        __mbarrier_inval(&bar);
    __syncthreads();
    if (tid == 0)
        __mbarrier_init(&bar, Threads / 2);
    __syncthreads();
    if (tid < Threads / 2) {
        part[tid] = sum;
        meet(&bar);
        out[blockIdx.x * Threads / 2 + tid] = sum - part[Threads / 2 - 1 - tid];
    }
}

void run(const int *in, int *out, int blocks)
{
    two_reductions<128><<<blocks, 128>>>(in, out);
}
