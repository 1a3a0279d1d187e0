// expect: warp-mask-self|warp-mask-agree
// The mask of a warp barrier leaves out the lanes that execute it.
#include <cstdio>

__global__ void pairs(const float *in, float *out)
{
    __shared__ float tile[128];
    const int i = threadIdx.x, lane = i % 32;
#ifdef CORRECT
    const unsigned upper = 0xffff0000u;
#else
    const unsigned upper = 0x0000ffffu;
#endif
    tile[i] = in[i];
    __syncwarp();
    if (lane >= 16) {
        const float sum = tile[i] + tile[i - 16];
        __syncwarp(upper); // reported here
        tile[i] = sum;
        __syncwarp(upper); // reported here
        out[i] = tile[i / 32 * 32 + 16 + (lane + 1) % 16];
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
    pairs<<<1, kThreads>>>(in, out);
    cudaError_t error = cudaDeviceSynchronize();
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < kThreads; ++i)
        sum += host[i];
    printf("sum %g, %s\n", sum, cudaGetErrorName(error));
    return error != cudaSuccess;
}
