// expect: exit-before-sync|sync-divergent|named-divergent
// The even threads have nothing to do and leave; the odd ones synchronise the block.
#include <cstdio>

__global__ void odd(const float *in, float *out)
{
    __shared__ float tile[128];
    const int i = threadIdx.x;
#ifdef CORRECT
    tile[i] = in[i];
    __syncthreads();
    if (i % 2 != 0)
        out[i] = tile[127 - i];
#else
    if (i % 2 == 0)
        return; // reported here
    tile[i] = in[i];
    __syncthreads(); // reported here
    out[i] = tile[127 - i];
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
    odd<<<1, kThreads>>>(in, out);
    cudaError_t error = cudaDeviceSynchronize();
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < kThreads; ++i)
        sum += host[i];
    printf("sum %g, %s\n", sum, cudaGetErrorName(error));
    return error != cudaSuccess;
}
