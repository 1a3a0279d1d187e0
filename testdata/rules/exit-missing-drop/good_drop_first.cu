// Threads without an element drop out before they return; thread 0 always has one.
#include <cuda/barrier>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void difference(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ block_barrier stored;
    __shared__ float line[128];
    if (threadIdx.x == 0)
        init(&stored, blockDim.x);
    line[threadIdx.x] = 0.0f;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x != 0 && i >= n) {
        stored.arrive_and_drop();
        return;
    }
    line[threadIdx.x] = i < n ? in[i] : 0.0f;
    stored.arrive_and_wait();
    if (i < n)
        out[i] = line[threadIdx.x] - line[threadIdx.x ^ 1];
}

void run(const float *in, float *out, int n)
{
    difference<<<(n + 127) / 128, 128>>>(in, out, n);
}
