// expect: named-count-mismatch
// Two groups of warps meet at one named barrier and count their threads differently.
#include <cstdio>

__device__ void meet(int barrier, int threads)
{
    asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory"); // reported here
}

__global__ void roles(const float *in, float *out)
{
    __shared__ float tile[128];
    const int i = threadIdx.x;
    tile[i] = in[i];
    if (i < 32) {
        meet(1, 64);
        out[i] = tile[i + 32];
    } else {
#ifdef CORRECT
        if (i < 64)
            meet(1, 64);
#else
        meet(1, 96);
#endif
        out[i] = tile[i];
    }
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
    roles<<<1, kThreads>>>(in, out);
    cudaError_t error = cudaDeviceSynchronize();
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < kThreads; ++i)
        sum += host[i];
    printf("sum %g, %s\n", sum, cudaGetErrorName(error));
    return error != cudaSuccess;
}
