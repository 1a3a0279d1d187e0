// expect: phase-trywait-ignored
// try_wait is asked once and its answer is not looked at.
#include <cstdint>
#include <cstdio>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void sums(const float *in, float *out)
{
    __shared__ uint64_t step;
    __shared__ float tile[128];
    const int i = threadIdx.x;
    if (i == 0)
        ptx::mbarrier_init(&step, blockDim.x);
    __syncthreads();
    float sum = 0;
    for (int round = 0; round < 2; ++round) {
        if (i == 127)
            __nanosleep(50000); // the last row takes longer
        tile[i] = in[i] + round;
        const uint64_t token = ptx::mbarrier_arrive(&step); // reported here
#ifdef CORRECT
        while (!ptx::mbarrier_try_wait(&step, token, 1000)) {
        }
#else
        (void)ptx::mbarrier_try_wait(&step, token, 1000); // reported here
#endif
        sum += tile[127 - i];
        __syncthreads();
    }
    out[i] = sum;
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
    sums<<<1, kThreads>>>(in, out);
    cudaError_t error = cudaDeviceSynchronize();
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < kThreads; ++i)
        sum += host[i];
    printf("sum %g, %s\n", sum, cudaGetErrorName(error));
    return error != cudaSuccess;
}
