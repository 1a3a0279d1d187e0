// expect: cluster-pairing|cluster-divergent
// The first block of the cluster has already arrived when it synchronises the cluster.
#include <cstdint>
#include <cstdio>

__device__ void cluster_arrive()
{
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory"); // reported here
}

__device__ void cluster_wait()
{
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory"); // reported here
}

__device__ void cluster_sync()
{
    cluster_arrive();
    cluster_wait();
}

__device__ uint32_t cluster_rank()
{
    uint32_t rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

__global__ void __cluster_dims__(2, 1, 1) pair(const float *in, float *out)
{
    __shared__ float tile[128];
    const int i = threadIdx.x;
    tile[i] = in[i];
    if (cluster_rank() == 0) {
        cluster_arrive();
#ifdef CORRECT
        cluster_wait();
    } else {
        cluster_sync();
#endif
    }
    cluster_sync();
    if (cluster_rank() == 0)
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
    pair<<<2, kThreads>>>(in, out);
    cudaError_t error = cudaDeviceSynchronize();
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < kThreads; ++i)
        sum += host[i];
    printf("sum %g, %s\n", sum, cudaGetErrorName(error));
    return error != cudaSuccess;
}
