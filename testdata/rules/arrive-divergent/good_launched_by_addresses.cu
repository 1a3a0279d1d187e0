// The kernel and the addresses of its arguments go through a helper that launches whatever it is
// given, behind checks in a loop that leave the function: there are always some rounds.
#include <cstdlib>
#include <cuda/barrier>

__global__ void fill(int *out, unsigned rounds)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> ready;
    if (threadIdx.x == 0)
        init(&ready, 1);
    __syncthreads();
    if (threadIdx.x == 0 && rounds > 0)
        (void)ready.arrive();
    ready.wait_parity(false);
    for (unsigned i = 0; i < rounds; ++i)
        out[i * blockDim.x + threadIdx.x] = i;
}

struct Shape {
    cudaLaunchConfig_t config;
    cudaLaunchAttribute attribute[2];
};

static Shape shape_of(dim3 grid, dim3 block, dim3 cluster, cudaStream_t stream)
{
    Shape shape = {};
    shape.attribute[0].id = cudaLaunchAttributeClusterDimension;
    shape.attribute[0].val.clusterDim.x = cluster.x;
    shape.attribute[0].val.clusterDim.y = cluster.y;
    shape.attribute[0].val.clusterDim.z = cluster.z;
    shape.config.gridDim = grid;
    shape.config.blockDim = block;
    shape.config.stream = stream;
    shape.config.numAttrs = 1;
    return shape;
}

static bool launch(dim3 grid, dim3 block, cudaStream_t stream, const void *kernel, void **arguments)
{
    Shape shape = shape_of(grid, block, dim3(1, 1, 1), stream);
    shape.config.attrs = shape.attribute;
    return cudaLaunchKernelExC(&shape.config, kernel, arguments) == cudaSuccess;
}

static cudaError_t measure(int *out, unsigned count)
{
    cudaEvent_t event[2];
    for (cudaEvent_t &one : event) {
        cudaError_t result = cudaEventCreate(&one);
        if (result != cudaSuccess)
            return result;
    }
    const void *kernel = (const void *)fill;
    unsigned rounds = count;
    void *arguments[] = {&out, &rounds};
    if (!launch(dim3(1), dim3(64), cudaStreamPerThread, kernel, arguments))
        return cudaErrorLaunchFailure;
    return cudaDeviceSynchronize();
}

int main()
{
    int *out;
    if (cudaMalloc(&out, 1024 * 64 * sizeof *out) != cudaSuccess)
        return 1;
    for (int i = 0; i < 3; ++i)
        if (measure(out, std::rand() % 1000 + 1) != cudaSuccess)
            return 1;
    return 0;
}
