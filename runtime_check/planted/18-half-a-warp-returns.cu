// expect: exit-before-sync|sync-divergent|named-divergent
// The threads beyond the end of the data return before the block synchronises.
#include <cstdio>

__global__ void reversed(const float *in, float *out, int n)
{
    __shared__ float tile[128];
    const int i = threadIdx.x;
#ifdef CORRECT
    if (i < n)
        tile[i] = in[i];
    __syncthreads();
    if (i < n)
        out[i] = tile[n - 1 - i];
#else
    if (i >= n)
        return; // reported here
    tile[i] = in[i];
    __syncthreads(); // reported here
    out[i] = tile[n - 1 - i];
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
    reversed<<<1, kThreads>>>(in, out, 112);
    cudaError_t error = cudaDeviceSynchronize();
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < kThreads; ++i)
        sum += host[i];
    printf("sum %g, %s\n", sum, cudaGetErrorName(error));
    return error != cudaSuccess;
}
