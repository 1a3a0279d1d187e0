// expect: exit-before-sync|sync-divergent
// Only the first warp stays for the block's barrier.
#include <cstdio>

__global__ void first_warp(const float *in, float *out)
{
    __shared__ float tile[128];
    const int i = threadIdx.x;
    tile[i] = in[i];
#ifdef CORRECT
    __syncthreads();
    if (i >= 32)
        return;
#else
    if (i >= 32)
        return; // reported here
    __syncthreads(); // reported here
#endif
    out[i] = tile[i] + tile[i + 32] + tile[i + 64] + tile[i + 96];
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
    first_warp<<<1, kThreads>>>(in, out);
    cudaError_t error = cudaDeviceSynchronize();
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < kThreads; ++i)
        sum += host[i];
    printf("sum %g, %s\n", sum, cudaGetErrorName(error));
    return error != cudaSuccess;
}
