// The token is used up by the wait of the helper and waited with once more.
#include <cuda/barrier>
#include <utility>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__device__ float fetch(block_barrier &stored, block_barrier::arrival_token &token,
                       const float *line, int at)
{
    stored.wait(std::move(token));
    return line[at];
}

__global__ void mirror(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ block_barrier stored;
    __shared__ float line[128];
    if (threadIdx.x == 0)
        init(&stored, blockDim.x);
    __syncthreads();
    line[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
    auto token = stored.arrive();
    float x = fetch(stored, token, line, 127 - threadIdx.x);
    stored.wait(std::move(token)); // expect: phase-token-invalid
    out[blockIdx.x * 128 + threadIdx.x] = x;
}

void run(const float *in, float *out, int blocks)
{
    mirror<<<blocks, 128>>>(in, out);
}
