// The launch has an attribute, a priority that the caller chooses, but none for the cluster.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void borrow(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float own[64];
    auto cluster = cg::this_cluster();
    own[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
    cluster.sync();
    const float *second = cluster.map_shared_rank(own, 1); // expect: launch-cluster
    out[blockIdx.x * 64 + threadIdx.x] = second[63 - threadIdx.x];
    cluster.sync();
}

void run(const float *in, float *out, int blocks, int priority, cudaStream_t stream)
{
    cudaLaunchAttribute attribute[1] = {};
    attribute[0].id = cudaLaunchAttributePriority;
    attribute[0].val.priority = priority;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(64);
    config.stream = stream;
    config.attrs = attribute;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, borrow, in, out);
}
