// The arrive is the right-hand side of an &&: threads without an item never execute it.
#include <cuda_awbarrier_primitives.h>

__device__ bool publish(__mbarrier_t *ready, int *slot, int value)
{
    *slot = value;
    __mbarrier_arrive(ready);
    return true;
}

__global__ void compact(const int *__restrict__ in, int *__restrict__ out, int *__restrict__ count)
{
    __shared__ __mbarrier_t ready;
    __shared__ int line[64];
    if (threadIdx.x == 0)
        __mbarrier_init(&ready, 64);
    __syncthreads();
    const int value = in[blockIdx.x * 64 + threadIdx.x];
    line[threadIdx.x] = 0;
    const bool done = value > 0 && publish(&ready, &line[threadIdx.x], value); // expect: arrive-divergent
    if (threadIdx.x == 0) {
        while (!__mbarrier_test_wait_parity(&ready, false)) {
        }
        int sum = 0;
        for (int i = 0; i < 64; ++i)
            sum += line[i];
        count[blockIdx.x] = sum;
    }
    out[blockIdx.x * 64 + threadIdx.x] = done;
}

void run(const int *in, int *out, int *count, int blocks)
{
    compact<<<blocks, 64>>>(in, out, count);
}
