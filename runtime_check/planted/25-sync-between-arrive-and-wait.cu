// expect: group-arrive-wait|cluster-pairing
// The group is synchronised while its split barrier waits for the second half.
#include <cooperative_groups.h>
#include <cstdio>
#include <utility>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) overlapped(const float *in, float *out)
{
    __shared__ float tile[128];
    cg::cluster_group cluster = cg::this_cluster();
    const int i = threadIdx.x;
    tile[i] = in[i];
    cg::cluster_group::arrival_token token = cluster.barrier_arrive();
    const float own = in[i] * 2;
#ifdef CORRECT
    cluster.barrier_wait(std::move(token));
    const float *peer = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1);
    const float other = peer[127 - i];
    cluster.sync();
#else
    cluster.sync(); // reported here
    const float *peer = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1);
    const float other = peer[127 - i];
    cluster.barrier_wait(std::move(token)); // reported here
#endif
    if (cluster.block_rank() == 0)
        out[i] = other + own;
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
    overlapped<<<2, kThreads>>>(in, out);
    cudaError_t error = cudaDeviceSynchronize();
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < kThreads; ++i)
        sum += host[i];
    printf("sum %g, %s\n", sum, cudaGetErrorName(error));
    return error != cudaSuccess;
}
