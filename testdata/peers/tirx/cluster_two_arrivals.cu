// kind: cluster: a second arrival before the wait
#include "../ptx.cuh"

__global__ void __cluster_dims__(2, 1, 1) tried(float *cell)
{
    ptx::barrier_cluster_arrive();
    cell[threadIdx.x] += 1;
    ptx::barrier_cluster_arrive(); // expect: cluster-pairing
    ptx::barrier_cluster_wait();
}

void launch(float *cell)
{
    tried<<<2, 128>>>(cell);
}
