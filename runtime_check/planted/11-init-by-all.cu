// expect: init-by-many|init-reinit-live
// Every thread of the block initialises the barrier.
#include <cstdio>
#include <cuda/barrier>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void reversed(const float *in, float *out)
{
    __shared__ block_barrier loaded;
    __shared__ float tile[128];
    const int i = threadIdx.x;
#ifdef CORRECT
    if (i == 0)
#endif
        init(&loaded, blockDim.x); // reported here
    __syncthreads();
    tile[i] = in[i];
    loaded.arrive_and_wait();
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
    reversed<<<1, kThreads>>>(in, out);
    cudaError_t error = cudaDeviceSynchronize();
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < kThreads; ++i)
        sum += host[i];
    printf("sum %g, %s\n", sum, cudaGetErrorName(error));
    return error != cudaSuccess;
}
