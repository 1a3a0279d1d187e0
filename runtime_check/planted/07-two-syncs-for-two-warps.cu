// expect: sync-two-sites|sync-divergent
// The even warps meet the odd ones at another __syncthreads than their own.
#include <cstdio>

__global__ void exchange(const float *in, float *out)
{
    __shared__ float tile[128];
    const int i = threadIdx.x;
    tile[i] = in[i];
#ifdef CORRECT
    __syncthreads();
    if (i / 32 % 2 == 0)
        out[i] = tile[i + 32] + 1;
    else
        out[i] = tile[i - 32] * 2;
#else
    if (i / 32 % 2 == 0) {
        __syncthreads(); // reported here
        out[i] = tile[i + 32] + 1;
    } else {
        __syncthreads(); // reported here
        out[i] = tile[i - 32] * 2;
    }
#endif
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
    exchange<<<1, kThreads>>>(in, out);
    cudaError_t error = cudaDeviceSynchronize();
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < kThreads; ++i)
        sum += host[i];
    printf("sum %g, %s\n", sum, cudaGetErrorName(error));
    return error != cudaSuccess;
}
