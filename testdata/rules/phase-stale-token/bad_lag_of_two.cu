// The token of the tile before the last is kept and waited with: its phase is two phases back.
#include <cuda/barrier>
#include <utility>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void running(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ block_barrier step;
    __shared__ float line[128];
    if (threadIdx.x == 0)
        init(&step, blockDim.x);
    __syncthreads();
    block_barrier::arrival_token older = step.arrive();
    block_barrier::arrival_token first = older;
    step.wait(std::move(first));
    step.arrive_and_wait();
    for (int t = 0; t < tiles; ++t) {
        line[threadIdx.x] = in[t * 128 + threadIdx.x];
        step.wait(std::move(older)); // expect: phase-stale-token
        out[t * 128 + threadIdx.x] = line[127 - threadIdx.x];
        older = step.arrive();
        block_barrier::arrival_token newer = older;
        step.wait(std::move(newer));
        step.arrive_and_wait();
    }
}

void run(const float *in, float *out)
{
    running<<<1, 128>>>(in, out, 6);
}
