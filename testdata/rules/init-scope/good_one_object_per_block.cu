// Block scope in global memory is legal where every block has an object of its own.
#include <cuda/barrier>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void reverse(const int *__restrict__ in, int *__restrict__ out, block_barrier *stored)
{
    __shared__ int line[64];
    block_barrier &mine = stored[blockIdx.x];
    if (threadIdx.x == 0)
        init(&mine, 64);
    __syncthreads();
    line[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
    mine.arrive_and_wait();
    out[blockIdx.x * 64 + threadIdx.x] = line[63 - threadIdx.x];
}

void run(const int *in, int *out, block_barrier *stored)
{
    reverse<<<16, 64>>>(in, out, stored);
}
