// What no kernel before writes is fetched early.
#include <cuda_runtime.h>

__global__ void scale(const float *__restrict__ weights, const float *__restrict__ in,
                      float *__restrict__ out)
{
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    const float weight = weights[at];
    cudaGridDependencySynchronize();
    out[at] = weight * in[at];
    cudaTriggerProgrammaticLaunchCompletion();
}

void run(const float *weights, const float *in, float *out, cudaStream_t stream)
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
    (void)cudaLaunchKernelEx(&config, scale, weights, in, out);
}
