// Kernels that are given by address to a class that launches clusters: the shape is that of a call
// several functions further out. A cluster has two blocks, and the kernel asks for a third.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

struct launch_error {
    cudaError_t code;
};

struct cluster_launcher {
    static constexpr int most_blocks = 32;
    struct parameters {
        dim3 grid{1, 1, 1};
        dim3 block{1, 1, 1};
        dim3 cluster{1, 1, 1};
        int bytes = 0;
        cudaStream_t stream = nullptr;
    };

    static cudaError_t prepare(const void *kernel)
    {
        return cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    }

    static launch_error launch(const dim3 grid, const dim3 cluster, const dim3 block,
                               const size_t bytes, cudaStream_t stream, const void *kernel,
                               void **arguments, bool early = false)
    {
        cudaLaunchConfig_t config{};
        config.gridDim = grid;
        config.blockDim = block;
        config.dynamicSmemBytes = bytes;
        config.stream = stream;
        cudaLaunchAttribute attribute[2];
        attribute[0].id = cudaLaunchAttributeClusterDimension;
        attribute[0].val.clusterDim.x = cluster.x;
        attribute[0].val.clusterDim.y = cluster.y;
        attribute[0].val.clusterDim.z = cluster.z;
        attribute[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
        attribute[1].val.programmaticStreamSerializationAllowed = 1;
        config.attrs = attribute;
        config.numAttrs = early ? 2 : 1;
        cudaError_t status = prepare(kernel);
        if (status != cudaSuccess)
            return {status};
        status = cudaLaunchKernelExC(&config, kernel, arguments);
        return {status};
    }

    template <class... Args>
    static launch_error launch(const parameters &given, const void *kernel, Args &&...args)
    {
        void *pointers[sizeof...(Args)] = {&args...};
        return launch(given.grid, given.cluster, given.block, given.bytes, given.stream, kernel,
                      pointers);
    }
};

template <class Kernel> __global__ void device_kernel(typename Kernel::arguments arguments)
{
    Kernel kernel;
    kernel(arguments);
}

struct neighbour_sum {
    struct arguments {
        const float *in;
        float *out;
    };

    __device__ void operator()(const arguments &given)
    {
        __shared__ float part[128];
        cg::cluster_group cluster = cg::this_cluster();
        part[threadIdx.x] = given.in[blockIdx.x * 128 + threadIdx.x];
        cluster.sync();
        float *other =
            cluster.map_shared_rank(part, 2 + cluster.block_rank() % 2); // expect: launch-cluster
        given.out[blockIdx.x * 128 + threadIdx.x] = other[127 - threadIdx.x];
        cluster.sync();
    }
};

cudaError_t run(const float *in, float *out, cudaStream_t stream)
{
    neighbour_sum::arguments given{in, out};
    cluster_launcher::parameters parameters{dim3(8), dim3(128), dim3(2), 0, stream};
    return cluster_launcher::launch(parameters, (const void *)device_kernel<neighbour_sum>, given)
        .code;
}
