// arch: sm_80
// Clusters are there from compute capability 9.0 on.
#include <cuda/ptx>

__global__ void meet(int *out)
{
    cuda::ptx::barrier_cluster_arrive(); // expect: port-arch
    out[threadIdx.x] = 1;
    cuda::ptx::barrier_cluster_wait(); // expect: port-arch
}

void launch(int *out)
{
    meet<<<1, 128>>>(out);
}
