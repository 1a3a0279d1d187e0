// expect: phase-unobserved|init-count-mismatch|arrive-over|arrive-divergent
// The barrier counts 32 arrivals, and all 128 threads arrive before anybody waits.
#include <cstdint>
#include <cstdio>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void reversed(const float *in, float *out)
{
    __shared__ uint64_t loaded;
    __shared__ float tile[128];
    const int i = threadIdx.x;
#ifdef CORRECT
    const uint32_t count = 128;
#else
    const uint32_t count = 32;
#endif
    if (i == 0)
        ptx::mbarrier_init(&loaded, count); // reported here
    __syncthreads();
    tile[i] = in[i];
    ptx::mbarrier_arrive(&loaded); // reported here
    __syncthreads();
    // The last of the phases that 128 arrivals make.
    while (!ptx::mbarrier_try_wait_parity(&loaded, (128 / count - 1) & 1)) { // reported here
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
    reversed<<<1, kThreads>>>(in, out);
    cudaError_t error = cudaDeviceSynchronize();
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < kThreads; ++i)
        sum += host[i];
    printf("sum %g, %s\n", sum, cudaGetErrorName(error));
    return error != cudaSuccess;
}
