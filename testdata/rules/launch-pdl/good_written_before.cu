// What is read before the wait is given to both kernels, and neither writes it; or the one that
// writes it is launched behind.
#include <cuda_runtime.h>

struct Rows {
    const float *scale;
    const float *x;
    float *out;
    __device__ void run() const
    {
        const float factor = scale[threadIdx.x];
        cudaGridDependencySynchronize();
        out[threadIdx.x] = factor * x[threadIdx.x];
    }
};

__global__ void square(const float *__restrict__ scale, float *__restrict__ x)
{
    cudaGridDependencySynchronize();
    x[threadIdx.x] *= x[threadIdx.x] * scale[threadIdx.x];
    cudaTriggerProgrammaticLaunchCompletion();
}

__global__ void rows(const float *scale, const float *x, float *out)
{
    Rows{scale, x, out}.run();
}

__global__ void next_scale(float *scale, const float *__restrict__ out)
{
    asm volatile("griddepcontrol.wait;" ::: "memory");
    scale[threadIdx.x] = out[threadIdx.x] * 0.5f;
}

void launch(float *scale, float *x, float *out)
{
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute[0].val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(1);
    config.blockDim = dim3(128);
    config.attrs = attribute;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, square, (const float *)scale, x);
    cudaLaunchKernelEx(&config, rows, (const float *)scale, (const float *)x, out);
    cudaLaunchKernelEx(&config, next_scale, scale, (const float *)out);
}
