// The kernel triggers the next one and never waits for the one before.
#include <cuda_runtime.h>

__global__ void scale(const float *__restrict__ in, float *__restrict__ out, float factor)
{
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    cudaTriggerProgrammaticLaunchCompletion();
    out[at] = factor * in[at]; // expect: launch-pdl
}

void run(const float *in, float *out, cudaStream_t stream)
{
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute[0].val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(16);
    config.blockDim = dim3(128);
    config.stream = stream;
    config.attrs = attribute;
    config.numAttrs = 1;
    (void)cudaLaunchKernelEx(&config, scale, in, out, 2.0f);
}
