#include <cuda/barrier>
#include <utility>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void compact(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ block_barrier stored;
    __shared__ float line[128];
    if (threadIdx.x == 0)
        init(&stored, 64);
    __syncthreads();
    block_barrier::arrival_token token{};
    if (threadIdx.x < 64) {
        line[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
        token = stored.arrive();
    }
    stored.wait(std::move(token)); // expect: phase-token-invalid
    out[blockIdx.x * 128 + threadIdx.x] = line[threadIdx.x / 2];
}

void run(const float *in, float *out, int blocks)
{
    compact<<<blocks, 128>>>(in, out);
}
