// expect: exit-drop-then-use|arrive-over
// Threads that have no more work drop out of the barrier, and arrive on it once more at the end.
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
        step.arrive_and_drop();
    } else {
        tile[i] += tile[i + 64];
        step.arrive_and_wait();
    }
#ifdef CORRECT
    if (i < 64)
#endif
        (void)step.arrive(); // reported here
    out[i] = tile[i % 64];
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
