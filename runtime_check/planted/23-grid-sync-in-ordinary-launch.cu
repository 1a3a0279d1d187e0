// expect: launch-cooperative|grid-skip
// The kernel synchronises the grid and is launched like any other.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void two_blocks(const float *in, float *out, float *between)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    between[i] = in[i];
    cg::this_grid().sync(); // reported here
    out[i] = between[127 - i];
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
    float *between;
    cudaMalloc(&between, sizeof host);
#ifdef CORRECT
    void *arguments[] = {&in, &out, &between};
    cudaLaunchCooperativeKernel(reinterpret_cast<void *>(two_blocks), dim3(1), dim3(kThreads),
                                arguments);
#else
    two_blocks<<<1, kThreads>>>(in, out, between); // reported here
#endif
    cudaError_t error = cudaDeviceSynchronize();
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < kThreads; ++i)
        sum += host[i];
    printf("sum %g, %s\n", sum, cudaGetErrorName(error));
    return error != cudaSuccess;
}
