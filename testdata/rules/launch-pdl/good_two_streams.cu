// The kernel before it in the text is of another stream, and programmatic serialization is of one:
// whoever joins the streams by an event has that order, and the wait is for the kernel before.
#include <cuda_runtime.h>

__global__ void square(float *x)
{
    x[threadIdx.x] *= x[threadIdx.x];
}

__global__ void total(const float *__restrict__ x, const float *__restrict__ weight, float *sum)
{
    const float own = x[threadIdx.x];
    cudaGridDependencySynchronize();
    atomicAdd(sum, own * weight[threadIdx.x]);
}

void launch(float *x, const float *weight, float *sum, cudaStream_t first, cudaStream_t second,
            cudaEvent_t squared)
{
    square<<<1, 128, 0, first>>>(x);
    cudaEventRecord(squared, first);
    cudaStreamWaitEvent(second, squared);
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute[0].val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(1);
    config.blockDim = dim3(128);
    config.stream = second;
    config.attrs = attribute;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, total, (const float *)x, weight, sum);
}
