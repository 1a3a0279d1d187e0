#include <cuda/barrier>
#include <utility>

__global__ void running(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> step;
    __shared__ float line[128];
    if (threadIdx.x == 0)
        init(&step, blockDim.x);
    __syncthreads();
    for (int t = 0; t < tiles; ++t) {
        line[threadIdx.x] = in[t * 128 + threadIdx.x];
        auto token = step.arrive();
        const float ahead = t + 1 < tiles ? in[(t + 1) * 128 + threadIdx.x] : 0.0f;
        step.wait(std::move(token));
        out[t * 128 + threadIdx.x] = line[127 - threadIdx.x] + ahead;
        step.arrive_and_wait();
    }
}

void run(const float *in, float *out, int tiles)
{
    running<<<1, 128>>>(in, out, tiles);
}
