// Between its arrival and its wait a thread reads what others may not have written yet.
#include <cuda/barrier>
#include <utility>

__global__ void mirror(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> stored;
    __shared__ float line[128];
    if (threadIdx.x == 0)
        init(&stored, blockDim.x);
    __syncthreads();
    line[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
    auto token = stored.arrive();
    const float x = line[127 - threadIdx.x]; // expect: sync-missing
    stored.wait(std::move(token));
    out[blockIdx.x * 128 + threadIdx.x] = x;
}

void run(const float *in, float *out, int blocks)
{
    mirror<<<blocks, 128>>>(in, out);
}
