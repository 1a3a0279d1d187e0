// expect: init-count-range
// The number of arrivals to wait for comes out as 0.
#include <cstdio>
#include <cuda_awbarrier_primitives.h>

__global__ void reversed(const float *in, float *out)
{
    __shared__ __mbarrier_t loaded;
    __shared__ float tile[128];
    const int i = threadIdx.x;
#ifdef CORRECT
    const unsigned per_arrival = 1;
#else
    const unsigned per_arrival = 256;
#endif
    if (i == 0)
        __mbarrier_init(&loaded, blockDim.x / per_arrival); // reported here
    __syncthreads();
    tile[i] = in[i];
    __mbarrier_token_t token = __mbarrier_arrive(&loaded);
    while (!__mbarrier_test_wait(&loaded, token)) {
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
