// kind: cluster: a wait without an arrival
#include "../ptx.cuh"

__global__ void __cluster_dims__(2, 1, 1) tried(float *cell)
{
    ptx::barrier_cluster_wait(); // expect: cluster-pairing
    cell[threadIdx.x] += 1;
}

void launch(float *cell)
{
    tried<<<2, 128>>>(cell);
}
