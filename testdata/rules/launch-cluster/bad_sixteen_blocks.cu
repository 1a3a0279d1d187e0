// A cluster of 16 blocks needs the kernel's leave for sizes that are not portable.
#include <cuda_runtime.h>

__global__ void work(float *cell)
{
    cell[threadIdx.x] += 1;
    asm volatile("barrier.cluster.arrive;\n\tbarrier.cluster.wait;" ::: "memory");
    cell[threadIdx.x] *= 2;
}

void launch(float *cell)
{
    cudaLaunchConfig_t config = {};
    config.gridDim = 64;
    config.blockDim = 128;
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributeClusterDimension;
    attribute[0].val.clusterDim.x = 16;
    attribute[0].val.clusterDim.y = 1;
    attribute[0].val.clusterDim.z = 1;
    config.attrs = attribute;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, work, cell); // expect: launch-cluster
}
