// expect: warp-mask-agree
// Half of each warp waits for the whole warp, and the other half never comes.
#include <cstdio>

__global__ void halves(const float *in, float *out)
{
    __shared__ float tile[128];
    const int i = threadIdx.x, lane = i % 32;
    tile[i] = in[i];
    if (lane < 16) {
#ifdef CORRECT
        __syncwarp(0x0000ffffu);
#else
        __syncwarp(); // reported here
#endif
        out[i] = tile[i / 32 * 32 + 15 - lane];
    }
    __syncthreads(); // reported here
    if (lane >= 16)
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
    halves<<<1, kThreads>>>(in, out);
    cudaError_t error = cudaDeviceSynchronize();
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < kThreads; ++i)
        sum += host[i];
    printf("sum %g, %s\n", sum, cudaGetErrorName(error));
    return error != cudaSuccess;
}
