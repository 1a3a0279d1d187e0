// What the kernel launched before writes is read before the wait, whatever is read behind it.
#include <cuda_runtime.h>

struct Tile {
    const int *in;
    const int *bounds;
    int *out;
    __device__ void run() const
    {
        const int first = bounds[blockIdx.x]; // expect: launch-pdl
        cudaGridDependencySynchronize();
        for (int i = first + threadIdx.x; i < bounds[blockIdx.x + 1]; i += 128)
            out[i] = in[i];
    }
};

__global__ void split(const int *__restrict__ in, int count, int *__restrict__ bounds)
{
    const int i = blockIdx.x * 128 + threadIdx.x;
    cudaGridDependencySynchronize();
    if (i < count)
        bounds[i] = in[i] % count;
    cudaTriggerProgrammaticLaunchCompletion();
}

__global__ void move(const int *in, const int *bounds, int *out)
{
    Tile tile{in, bounds, out};
    tile.run();
}

__device__ void put(float *to, float value)
{
    *to = value;
}

__global__ void square(float *x)
{
    put(&x[threadIdx.x], x[threadIdx.x] * x[threadIdx.x]);
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}

__global__ void total(const float *__restrict__ x, const float *__restrict__ weight, float *sum)
{
    float own = __ldg(&x[threadIdx.x]); // expect: launch-pdl
    asm volatile("griddepcontrol.wait;" ::: "memory");
    atomicAdd(sum, own * weight[threadIdx.x]);
}

void launch(const int *in, int count, int *bounds, int *out, float *x, const float *weight, float *sum)
{
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute[0].val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(8);
    config.blockDim = dim3(128);
    config.attrs = attribute;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, split, in, count, bounds);
    cudaLaunchKernelEx(&config, move, in, (const int *)bounds, out);
    square<<<1, 128>>>(x);
    config.gridDim = dim3(1);
    cudaLaunchKernelEx(&config, total, (const float *)x, weight, sum);
}
