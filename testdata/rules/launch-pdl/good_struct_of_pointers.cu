// The data are reached through a structure, behind the wait.
#include <cuda_runtime.h>

struct Problem {
    const float *weights, *in;
    float *out;
};

__device__ inline void wait_for_the_kernel_before()
{
    asm volatile("griddepcontrol.wait;" ::: "memory");
}

__global__ void scale(const Problem problem, const float *__restrict__ factor)
{
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    const float by = factor[at];
    wait_for_the_kernel_before();
    problem.out[at] = by * problem.weights[at] * problem.in[at];
}

void run(Problem problem, const float *factor, cudaStream_t stream)
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
    (void)cudaLaunchKernelEx(&config, scale, problem, factor);
}
