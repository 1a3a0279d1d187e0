// Thread 0 has passed the wait; the others may still be polling the object it invalidates.
#include <cuda_awbarrier_primitives.h>

__global__ void rotate(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ __mbarrier_t stored;
    __shared__ int line[128];
    if (threadIdx.x == 0)
        __mbarrier_init(&stored, blockDim.x);
    __syncthreads();
    line[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
    const __mbarrier_token_t token = __mbarrier_arrive(&stored);
    while (!__mbarrier_test_wait(&stored, token)) {
    }
    if (threadIdx.x == 0)
        __mbarrier_inval(&stored); // expect: init-use-after-inval
    out[blockIdx.x * 128 + threadIdx.x] = line[(threadIdx.x + 1) % 128];
}

void run(const int *in, int *out, int blocks)
{
    rotate<<<blocks, 128>>>(in, out);
}
