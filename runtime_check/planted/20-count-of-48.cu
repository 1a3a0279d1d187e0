// expect: named-count-multiple
// A named barrier for one warp and a half.
#include <cstdio>

__global__ void reversed(const float *in, float *out)
{
    __shared__ float tile[128];
    const int i = threadIdx.x;
#ifdef CORRECT
    const int threads = 64;
#else
    const int threads = 48;
#endif
    tile[i] = in[i];
    if (i < 64) {
        asm volatile("bar.sync 1, %0;" ::"r"(threads) : "memory"); // reported here
        out[i] = tile[63 - i];
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
    reversed<<<1, kThreads>>>(in, out);
    cudaError_t error = cudaDeviceSynchronize();
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < kThreads; ++i)
        sum += host[i];
    printf("sum %g, %s\n", sum, cudaGetErrorName(error));
    return error != cudaSuccess;
}
