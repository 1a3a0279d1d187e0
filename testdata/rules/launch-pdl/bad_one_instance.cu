// The instance that is launched so has the wait compiled out.
#include <cuda_runtime.h>

template <bool Dependent>
__global__ void sums(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float line[128];
    if constexpr (Dependent)
        cudaGridDependencySynchronize();
    line[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x]; // expect: launch-pdl
    __syncthreads();
    out[blockIdx.x * 128 + threadIdx.x] = line[127 - threadIdx.x];
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
    (void)cudaLaunchKernelEx(&config, sums<false>, in, out);
}
