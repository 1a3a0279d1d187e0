// Inline PTX in helpers: the wait comes where nothing is read any more.
#include <cuda_runtime.h>

__device__ inline void wait_for_the_kernel_before()
{
    asm volatile("griddepcontrol.wait;" ::: "memory"); // expect: launch-pdl
}

__device__ float load(const float *from, int at)
{
    return __ldg(from + at);
}

__global__ void scale(const float *__restrict__ in, float *__restrict__ out)
{
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    const float value = load(in, at);
    wait_for_the_kernel_before();
    out[at] = 2.0f * value;
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
    (void)cudaLaunchKernelEx(&config, scale, in, out);
}
