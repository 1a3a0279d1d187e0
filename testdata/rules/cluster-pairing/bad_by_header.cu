// A second arrival at the cluster's barrier, before the wait for the first.
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void __cluster_dims__(2, 1, 1) step(float *cell)
{
    cell[blockIdx.x * 128 + threadIdx.x] += 1;
    ptx::barrier_cluster_arrive();
    cell[blockIdx.x * 128 + threadIdx.x] -= 3;
    ptx::barrier_cluster_arrive(); // expect: cluster-pairing
    ptx::barrier_cluster_wait();
    cell[blockIdx.x * 128 + threadIdx.x] *= 2;
}

void run(float *cell)
{
    step<<<2, 128>>>(cell);
}
