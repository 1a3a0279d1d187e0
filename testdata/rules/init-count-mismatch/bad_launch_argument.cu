// The expected count is a kernel argument, and the launch passes the size of two blocks.
#include <cuda/barrier>

using ready_t = cuda::barrier<cuda::thread_scope_block>;

__global__ void swap_ends(const float *in, float *out, int members)
{
    __shared__ ready_t ready;
    __shared__ float tile[64];
    if (threadIdx.x == 0)
        init(&ready, members);
    __syncthreads();
    tile[threadIdx.x] = in[threadIdx.x];
    ready.arrive_and_wait(); // expect: init-count-mismatch
    out[threadIdx.x] = tile[63 - threadIdx.x];
}

void launch(const float *in, float *out)
{
    swap_ends<<<1, 64>>>(in, out, 128);
}
