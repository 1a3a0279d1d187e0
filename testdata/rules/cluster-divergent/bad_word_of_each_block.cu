// Each block of the cluster goes round as often as its own word says.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

struct work {
    const int *rounds;
    float *cell;
};

__global__ void __cluster_dims__(2, 1, 1) relax(const __grid_constant__ work work)
{
    __shared__ float edge;
    auto pair = cg::this_cluster();
    float *cell = work.cell + blockIdx.x * blockDim.x;
    for (int i = 0; i < work.rounds[blockIdx.x]; ++i) {
        if (threadIdx.x == 0)
            edge = cell[0];
        pair.sync(); // expect: cluster-divergent
        cell[threadIdx.x] += *pair.map_shared_rank(&edge, pair.block_rank() ^ 1);
        pair.sync();
    }
}

void run(work work)
{
    relax<<<8, 64>>>(work);
}
