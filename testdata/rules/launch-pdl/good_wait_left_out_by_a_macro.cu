// The wait stands in a helper whose body a macro switches off, and nobody defines that macro.
#include <cuda_runtime.h>

__device__ __forceinline__ void wait_for_previous_grid()
{
#ifndef DISABLE_DEPENDENT_LAUNCH
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

__global__ void scale(float *data, float factor)
{
    data[blockIdx.x * blockDim.x + threadIdx.x] *= factor;
}

__global__ void add_one(const float *data, float *out)
{
    wait_for_previous_grid();
    out[blockIdx.x * blockDim.x + threadIdx.x] = data[blockIdx.x * blockDim.x + threadIdx.x] + 1;
}

void launch(float *data, float *out, cudaStream_t stream)
{
    scale<<<64, 128, 0, stream>>>(data, 2.0f);
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = 64;
    config.blockDim = 128;
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, add_one, (const float *)data, out);
}
