#include <cooperative_groups.h>
namespace cg = cooperative_groups;


__global__ void __cluster_dims__(4, 1, 1) sums(const int *in, int *out)
{
    __shared__ int sum[64];
    auto cluster = cg::this_cluster();
    sum[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
    __syncthreads();
    int total = 0;
    for (unsigned rank = 0; rank < 4; ++rank)
        total += *cluster.map_shared_rank(&sum[threadIdx.x], rank); // expect: cluster-dsmem-start
    out[blockIdx.x * 64 + threadIdx.x] = total;
    cluster.sync();
}

void launch(const int *in, int *out)
{
    sums<<<8, 64>>>(in, out);
}
