// Without the attribute the kernel before has ended.
#include <cuda_runtime.h>

__global__ void scale(const float *__restrict__ in, float *__restrict__ out)
{
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    out[at] = 2.0f * in[at];
    cudaTriggerProgrammaticLaunchCompletion();
}

void run(const float *in, float *out)
{
    scale<<<16, 128>>>(in, out);
}
