// The last warp of each block stays away from the cluster's barrier.
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void __cluster_dims__(2, 1, 1) step(float *cell)
{
    cell[blockIdx.x * 128 + threadIdx.x] += 1;
    if (threadIdx.x < 96) { // half a cluster
        ptx::barrier_cluster_arrive();
        ptx::barrier_cluster_wait(); // expect: cluster-divergent
    }
    cell[blockIdx.x * 128 + threadIdx.x] *= 2;
}

void run(float *cell)
{
    step<<<2, 128>>>(cell);
}
