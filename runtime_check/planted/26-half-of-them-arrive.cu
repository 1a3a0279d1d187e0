// expect: init-count-mismatch|arrive-divergent|exit-missing-drop
// The barrier counts the block, and the second half of the block never arrives.
#include <cstdio>
#include <cuda/barrier>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void halves(const float *in, float *out)
{
    __shared__ block_barrier loaded;
    __shared__ float tile[128];
    const int i = threadIdx.x;
    if (i == 0) {
#ifdef CORRECT
        init(&loaded, 64);
#else
        init(&loaded, blockDim.x); // reported here
#endif
    }
    __syncthreads();
    tile[i] = in[i];
    if (i < 64) {
        loaded.arrive_and_wait(); // reported here
        out[i] = tile[63 - i];
    } else {
        out[i] = tile[i] * 2;
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
    halves<<<1, kThreads>>>(in, out);
    cudaError_t error = cudaDeviceSynchronize();
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < kThreads; ++i)
        sum += host[i];
    printf("sum %g, %s\n", sum, cudaGetErrorName(error));
    return error != cudaSuccess;
}
