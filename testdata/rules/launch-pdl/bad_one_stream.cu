// Both launches go to one stream, which the host was given: what the first writes is read too early.
#include <cuda_runtime.h>

__global__ void square(float *x)
{
    x[threadIdx.x] *= x[threadIdx.x];
}

__global__ void total(const float *__restrict__ x, const float *__restrict__ weight, float *sum)
{
    const float own = x[threadIdx.x]; // expect: launch-pdl
    cudaGridDependencySynchronize();
    atomicAdd(sum, own * weight[threadIdx.x]);
}

void launch(float *x, const float *weight, float *sum, cudaStream_t stream)
{
    square<<<1, 128, 0, stream>>>(x);
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute[0].val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(1);
    config.blockDim = dim3(128);
    config.stream = stream;
    config.attrs = attribute;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, total, (const float *)x, weight, sum);
}
