// Each block of the cluster puts its count into all of them, and adds up those of the blocks before it
// when it has arrived: the others may not have.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(4, 1, 1) places(const int *__restrict__ count, int *__restrict__ first)
{
    __shared__ int of[4];
    cg::cluster_group cluster = cg::this_cluster();
    const unsigned rank = cluster.block_rank();
    cluster.sync();
    if (threadIdx.x < 4)
        *cluster.map_shared_rank(&of[rank], threadIdx.x) = count[blockIdx.x];
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    int sum = 0;
    for (unsigned r = 0; r < rank; ++r)
        sum += of[r]; // expect: sync-missing
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
    first[blockIdx.x * 64 + threadIdx.x] = sum;
}

void launch(const int *count, int *first, int clusters)
{
    places<<<4 * clusters, 64>>>(count, first);
}
