#include <cuda/barrier>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

// Which of the barriers in device memory the block meets at first is not known. None of them is the
// one in shared memory.
__global__ void reverse(const float *in, float *out, block_barrier *barriers)
{
    __shared__ float line[128];
    __shared__ block_barrier stored;
    if (threadIdx.x == 0)
        init(&stored, 160);
    barriers[blockIdx.x].arrive_and_wait();
    line[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
    stored.arrive_and_wait(); // expect: init-count-mismatch
    out[blockIdx.x * 128 + threadIdx.x] = line[127 - threadIdx.x];
}

void launch(const float *in, float *out, block_barrier *barriers)
{
    reverse<<<16, 128>>>(in, out, barriers);
}
