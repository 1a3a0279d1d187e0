// The cluster has as many blocks as there are polynomials, which the host knows, and is as tall as
// the grid: every block reads the shared memory of all others, and waits before it ends.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__device__ void add_all(float *sums, cg::cluster_group &cluster, int first, int blocks, int width)
{
    for (int b = 0; b < blocks; ++b) {
        const float *others = cluster.map_shared_rank(sums, (first + b) % blocks);
        for (int i = threadIdx.x; i < width; i += blockDim.x)
            sums[width + i] += others[i];
        __syncthreads();
    }
}

__global__ void transform(float *out, const float *in, int steps, int width)
{
    extern __shared__ float sums[];
    cg::cluster_group cluster = cg::this_cluster();
    const float *row = in + blockIdx.y * width;
    for (int s = 0; s < steps; ++s) {
        for (int i = threadIdx.x; i < width; i += blockDim.x) {
            sums[i] = row[i] * s;
            sums[width + i] = 0;
        }
        cluster.sync();
        add_all(sums, cluster, cluster.block_index().y, gridDim.y, width);
        cluster.sync();
    }
    for (int i = threadIdx.x; i < width; i += blockDim.x)
        out[blockIdx.y * width + i] = sums[width + i];
}

void run(float *out, const float *in, int samples, int polynomials, int width, cudaStream_t stream)
{
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(samples, polynomials);
    config.blockDim = dim3(256);
    config.dynamicSmemBytes = 2 * width * sizeof(float);
    config.stream = stream;
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributeClusterDimension;
    attribute[0].val.clusterDim.x = 1;
    attribute[0].val.clusterDim.y = polynomials;
    attribute[0].val.clusterDim.z = 1;
    config.attrs = attribute;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, transform, out, in, 8, width);
}
