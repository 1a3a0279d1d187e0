// One of its uses has work between the two halves.
#include <cuda/barrier>
#include <utility>

__global__ void smooth(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float line[128];
    __shared__ cuda::barrier<cuda::thread_scope_block> step;
    if (threadIdx.x == 0)
        init(&step, 128);
    __syncthreads();
    line[threadIdx.x] = in[threadIdx.x];
    step.arrive_and_wait();
    const float other = line[127 - threadIdx.x];
    auto token = step.arrive();
    const float next = in[128 + threadIdx.x];
    step.wait(std::move(token));
    line[threadIdx.x] = other + next;
    __syncthreads();
    out[threadIdx.x] = line[threadIdx.x ^ 1];
}

void run(const float *in, float *out)
{
    smooth<<<1, 128>>>(in, out);
}
