// Both roles meet at the barriers in one order.
#include <cuda/barrier>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void swap_halves(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ block_barrier left_done, right_done;
    __shared__ float line[64];
    if (threadIdx.x == 0) {
        init(&left_done, 64);
        init(&right_done, 64);
    }
    __syncthreads();
    line[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
    if (threadIdx.x < 32) {
        left_done.arrive_and_wait();
        out[blockIdx.x * 64 + threadIdx.x] = line[63 - threadIdx.x];
        right_done.arrive_and_wait();
    } else {
        (void)right_done.arrive();
        left_done.arrive_and_wait();
        out[blockIdx.x * 64 + threadIdx.x] = line[63 - threadIdx.x];
    }
}

void run(const float *in, float *out, int blocks)
{
    swap_halves<<<blocks, 64>>>(in, out);
}
