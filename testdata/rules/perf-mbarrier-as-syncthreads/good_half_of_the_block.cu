// A part of the block: the barrier of the block does not do that.
#include <cuda/barrier>

__global__ void halves(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float line[128];
    __shared__ cuda::barrier<cuda::thread_scope_block> half[2];
    if (threadIdx.x < 2)
        init(&half[threadIdx.x], 64);
    __syncthreads();
    line[threadIdx.x] = in[threadIdx.x];
    half[threadIdx.x / 64].arrive_and_wait();
    out[threadIdx.x] = line[threadIdx.x ^ 63];
}

void run(const float *in, float *out)
{
    halves<<<1, 128>>>(in, out);
}
