// expect: exit-missing-drop
// Threads that run out of work leave, and the barrier goes on counting them.
#include <cstdio>
#include <cuda/barrier>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void shrinking(const float *in, float *out)
{
    __shared__ block_barrier step;
    __shared__ float tile[128];
    const int i = threadIdx.x;
    if (i == 0)
        init(&step, blockDim.x);
    __syncthreads();
    tile[i] = in[i];
    step.arrive_and_wait();
    if (i >= 64) {
        out[i] = 0;
#ifdef CORRECT
        step.arrive_and_drop();
#endif
        return; // reported here
    }
    tile[i] += tile[i + 64];
    step.arrive_and_wait(); // reported here
    out[i] = tile[63 - i];
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
    shrinking<<<1, kThreads>>>(in, out);
    cudaError_t error = cudaDeviceSynchronize();
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < kThreads; ++i)
        sum += host[i];
    printf("sum %g, %s\n", sum, cudaGetErrorName(error));
    return error != cudaSuccess;
}
