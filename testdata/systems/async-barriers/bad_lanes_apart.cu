// pedantic: lanes that went different ways should be brought together before they arrive
#include <cuda/barrier>

__global__ void walk(const int *next, const int *steps, int *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> walked;
    __shared__ int end[128];
    if (threadIdx.x == 0)
        init(&walked, blockDim.x);
    __syncthreads();
    int at = threadIdx.x;
    for (int i = 0; i < steps[threadIdx.x]; ++i)
        at = next[at];
    end[threadIdx.x] = at;
    auto token = walked.arrive(); // expect: perf-divergent-arrive
    out[threadIdx.x] = at;
    walked.wait(std::move(token));
    out[threadIdx.x] += end[127 - threadIdx.x];
}

void launch(const int *next, const int *steps, int *out)
{
    walk<<<1, 128>>>(next, steps, out);
}
