// expect: phase-parity-initial|phase-parity-flip
// The first phase of a barrier is waited for with the parity of the second.
#include <cstdint>
#include <cstdio>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void reversed(const float *in, float *out)
{
    __shared__ uint64_t loaded;
    __shared__ float tile[128], twice[128];
    const int i = threadIdx.x;
    if (i == 0)
        ptx::mbarrier_init(&loaded, blockDim.x);
    __syncthreads();
    tile[i] = in[i];
    ptx::mbarrier_arrive(&loaded);
    twice[i] = in[i] * 2;
    __syncthreads();
#ifdef CORRECT
    const uint32_t parity = 0;
#else
    const uint32_t parity = 1;
#endif
    while (!ptx::mbarrier_try_wait_parity(&loaded, parity)) { // reported here
    }
    out[i] = tile[127 - i] + twice[(i + 1) % 128];
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
    reversed<<<1, kThreads>>>(in, out);
    cudaError_t error = cudaDeviceSynchronize();
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < kThreads; ++i)
        sum += host[i];
    printf("sum %g, %s\n", sum, cudaGetErrorName(error));
    return error != cudaSuccess;
}
