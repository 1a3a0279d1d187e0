// expect: arrive-over
// One thread arrives for the whole block, and counts more threads than the barrier expects.
#include <cstdint>
#include <cstdio>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void announced(const float *in, float *out)
{
    __shared__ uint64_t ready;
    __shared__ float scale;
    const int i = threadIdx.x;
#ifdef CORRECT
    const uint32_t arrivals = 128;
#else
    const uint32_t arrivals = 160;
#endif
    if (i == 0)
        ptx::mbarrier_init(&ready, 128);
    __syncthreads();
    if (i == 0) {
        scale = in[1] + 1;
        ptx::mbarrier_arrive(&ready, arrivals); // reported here
    }
    while (!ptx::mbarrier_try_wait_parity(&ready, 0)) {
    }
    out[i] = in[i] * scale;
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
    announced<<<1, kThreads>>>(in, out);
    cudaError_t error = cudaDeviceSynchronize();
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < kThreads; ++i)
        sum += host[i];
    printf("sum %g, %s\n", sum, cudaGetErrorName(error));
    return error != cudaSuccess;
}
