// expect: named-id-range
// One barrier for each group, and there are more groups than barriers.
#include <cstdio>

__device__ void group_sync(int group, int threads)
{
#ifdef CORRECT
    asm volatile("bar.sync %0, %1;" ::"r"(group + 1), "r"(threads) : "memory");
#else
    asm volatile("bar.sync %0, %1;" ::"r"(group + 15), "r"(threads) : "memory"); // reported here
#endif
}

__global__ void groups(const float *in, float *out)
{
    __shared__ float tile[128];
    const int i = threadIdx.x, group = i / 64;
    tile[i] = in[i];
    group_sync(group, 64);
    out[i] = tile[group * 64 + 63 - i % 64];
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
    groups<<<1, kThreads>>>(in, out);
    cudaError_t error = cudaDeviceSynchronize();
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < kThreads; ++i)
        sum += host[i];
    printf("sum %g, %s\n", sum, cudaGetErrorName(error));
    return error != cudaSuccess;
}
