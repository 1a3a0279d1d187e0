// A barrier whose scope is a single thread, used by a block.
#include <cuda/barrier>

__global__ void reverse(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ cuda::barrier<cuda::thread_scope_thread> stored;
    __shared__ int line[64];
    if (threadIdx.x == 0)
        init(&stored, 64);
    __syncthreads();
    line[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
    stored.arrive_and_wait(); // expect: init-scope
    out[blockIdx.x * 64 + threadIdx.x] = line[63 - threadIdx.x];
}

void run(const int *in, int *out, int blocks)
{
    reverse<<<blocks, 64>>>(in, out);
}
