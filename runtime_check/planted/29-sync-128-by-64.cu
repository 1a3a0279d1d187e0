// expect: named-participants|named-exit|named-divergent
// Only the first 64 threads come to a barrier for 128.
#include <cstdio>

__global__ void halves(const float *in, float *out)
{
    __shared__ float tile[128];
    const int i = threadIdx.x;
    tile[i] = in[i];
    if (i < 64) {
#ifdef CORRECT
        asm volatile("bar.sync 1, 64;" ::: "memory");
#else
        asm volatile("bar.sync 1, 128;" ::: "memory"); // reported here
#endif
        out[i] = tile[63 - i];
    } else {
        out[i] = tile[i] * 2;
    } // reported here
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
    halves<<<1, kThreads>>>(in, out);
    cudaError_t error = cudaDeviceSynchronize();
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < kThreads; ++i)
        sum += host[i];
    printf("sum %g, %s\n", sum, cudaGetErrorName(error));
    return error != cudaSuccess;
}
