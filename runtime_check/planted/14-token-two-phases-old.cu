// expect: phase-stale-token
// The token of the first step is waited with in the third.
#include <cstdio>
#include <utility>
#include <cuda/barrier>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void three_steps(const float *in, float *out)
{
    __shared__ block_barrier step;
    __shared__ float tile[128];
    const int i = threadIdx.x;
    if (i == 0)
        init(&step, blockDim.x);
    __syncthreads();
    tile[i] = in[i];
    block_barrier::arrival_token first = step.arrive();
#ifdef CORRECT
    step.wait(std::move(first));
    step.arrive_and_wait();
#else
    block_barrier::arrival_token seen = first;
    step.wait(std::move(seen));
    step.arrive_and_wait();
    step.wait(std::move(first)); // reported here
#endif
    out[i] = tile[127 - i];
}

int main()
{
    constexpr int kThreads = 128;
    float host[kThreads], sum = 0, *in, *out;
    for (int i = 0; i < kThreads; ++i)
        host[i] = i;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof host);
    three_steps<<<1, kThreads>>>(in, out);
    cudaError_t error = cudaDeviceSynchronize();
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < kThreads; ++i)
        sum += host[i];
    printf("sum %g, %s\n", sum, cudaGetErrorName(error));
    return error != cudaSuccess;
}
