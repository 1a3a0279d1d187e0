// expect: init-reinit-live
// The barrier is set up again for the second step while half of a phase has arrived.
#include <cstdint>
#include <cstdio>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void two_steps(const float *in, float *out)
{
    __shared__ uint64_t step;
    __shared__ float tile[128];
    const int i = threadIdx.x;
    if (i == 0)
        ptx::mbarrier_init(&step, blockDim.x);
    __syncthreads();
    tile[i] = in[i];
    if (i < 64)
        ptx::mbarrier_arrive(&step);
    __syncthreads();
#ifdef CORRECT
    if (i >= 64)
        ptx::mbarrier_arrive(&step);
#else
    if (i == 0)
        ptx::mbarrier_init(&step, 64); // reported here
    __syncthreads();
    if (i >= 64)
        ptx::mbarrier_arrive(&step);
#endif
    while (!ptx::mbarrier_try_wait_parity(&step, 0)) {
    }
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
    two_steps<<<1, kThreads>>>(in, out);
    cudaError_t error = cudaDeviceSynchronize();
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < kThreads; ++i)
        sum += host[i];
    printf("sum %g, %s\n", sum, cudaGetErrorName(error));
    return error != cudaSuccess;
}
