// The last block has threads without an element; they return, and the barrier counts them.
#include <cuda/barrier>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void difference(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ block_barrier stored;
    __shared__ float line[128];
    if (threadIdx.x == 0)
        init(&stored, blockDim.x);
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return; // expect: exit-missing-drop
    line[threadIdx.x] = in[i];
    stored.arrive_and_wait();
    out[i] = line[threadIdx.x] - line[threadIdx.x ^ 1];
}

void run(const float *in, float *out, int n)
{
    difference<<<(n + 127) / 128, 128>>>(in, out, n);
}
