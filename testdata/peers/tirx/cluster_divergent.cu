// kind: cluster: some threads pass the barrier by
#include "../ptx.cuh"

__global__ void __cluster_dims__(2, 1, 1) tried(float *cell)
{
    if (threadIdx.x < 64) {
        ptx::barrier_cluster_arrive();
        ptx::barrier_cluster_wait(); // expect: cluster-divergent
    }
    cell[threadIdx.x] += 1;
    ptx::barrier_cluster_arrive();
    ptx::barrier_cluster_wait();
    cell[threadIdx.x] += 1;
}

void launch(float *cell)
{
    tried<<<2, 128>>>(cell);
}
