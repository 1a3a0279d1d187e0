// Before it reads what it is given the kernel goes over a list of its own through a pointer that
// moves: the finding stands at the former.
#include <cuda_runtime.h>

__device__ inline int total(const int *at, int count)
{
    int sum = 0;
    for (; count > 0; --count)
        sum += *at++;
    return sum;
}

__global__ void scale(const float *__restrict__ in, float *__restrict__ out, int a, int b, int c)
{
    int weight[3] = {a, b, c};
    const float factor = static_cast<float>(total(weight, 3));
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    cudaTriggerProgrammaticLaunchCompletion();
    out[at] = factor * in[at]; // expect: launch-pdl
}

void run(const float *in, float *out, int a, int b, int c, cudaStream_t stream)
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
    (void)cudaLaunchKernelEx(&config, scale, in, out, a, b, c);
}
