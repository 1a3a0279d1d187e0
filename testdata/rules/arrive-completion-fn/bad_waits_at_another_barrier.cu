// The function hands the phase on by waiting at a second barrier that nobody else comes to.
#include <cuda/barrier>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

struct Chain {
    block_barrier *next;
    __device__ void operator()() noexcept
    {
        next->arrive_and_wait(); // expect: arrive-completion-fn
    }
};

using chained = cuda::barrier<cuda::thread_scope_block, Chain>;

__global__ void smooth(const float *__restrict__ in, float *__restrict__ out, chained *barriers)
{
    __shared__ float line[128];
    chained &stored = barriers[blockIdx.x];
    line[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
    stored.arrive_and_wait();
    out[blockIdx.x * 128 + threadIdx.x] = 0.5f * (line[threadIdx.x] + line[127 - threadIdx.x]);
}

void run(const float *in, float *out, chained *barriers)
{
    smooth<<<16, 128>>>(in, out, barriers);
}
